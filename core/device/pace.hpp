// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How long launches take, learnt kernel by kernel: decides how much is launched before waiting.
#pragma once

#include <cstddef>
#include <map>

namespace sfumato {

/// Keeps the work under way on a device below what the user would feel when stopping. A kernel is
/// known by any address of its own; work is in scalar operations, roughly: rates correct it. Pure
/// arithmetic, so that tests need no device.
class Pace {
 public:
  using Kernel = const void*;

  /// Seconds of work that may be under way at once; the promise to the user is 0.1.
  static constexpr double most = 0.03;

  /// `rate`: operations per second of kernels that were not measured.
  explicit Pace(double rate) : first_rate_(rate) {}

  /// Of `units` equal units of `unit_work` each, how many to launch now: 0 means wait first. A
  /// kernel that was not measured starts with a small part where all would be too much, but with no
  /// less than the units that the device works on at once, `together`: fewer take as long.
  std::size_t fitting(Kernel kernel, double unit_work, std::size_t units,
                      std::size_t together = 1) const;

  /// Work was launched.
  void launched(Kernel kernel, double work);
  bool busy() const { return !pending_.empty(); }

  /// All that was launched took `seconds` until it was done: corrects the rates.
  void waited(double seconds);
  /// All that was launched is done, nobody knows since when.
  void settled() { pending_.clear(); }

 private:
  struct Rate {
    double per_second = 0;
    bool measured = false;
  };
  Rate rate_of(Kernel kernel) const;
  double pending_seconds() const;

  double first_rate_;
  std::map<Kernel, Rate> rates_;
  std::map<Kernel, double> pending_;  // work
};

}  // namespace sfumato
