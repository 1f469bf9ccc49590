// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Estimates the duration of launches kernel by kernel, to decide how much to launch before waiting.
#pragma once

#include <cstddef>
#include <map>

namespace sfumato {

/// Limits the work in flight on a device so that cancelling feels immediate. A kernel is identified
/// by any unique address. Work is in rough scalar operations, which measured rates correct. Pure
/// arithmetic, so tests need no device.
class Pace {
 public:
  using Kernel = const void*;

  /// Seconds of work that may be in flight; the promise to the user is 0.02 on processors.
  static constexpr double most = 0.015;

  /// `rate`: operations per second assumed for kernels not yet measured.
  explicit Pace(double rate) : first_rate_(rate) {}

  /// How many of `units` equal units of `unit_work` each to launch now; 0 means wait first. A
  /// kernel not yet measured starts with a small part if the whole might be too much. Parts are
  /// multiples of `together`, the units that the device runs at once, since fewer take just as
  /// long.
  std::size_t fitting(Kernel kernel, double unit_work, std::size_t units,
                      std::size_t together = 1) const;

  /// Records launched work.
  void launched(Kernel kernel, double work);
  bool busy() const { return !pending_.empty(); }

  /// Everything launched was done after `seconds`: corrects the rates.
  void waited(double seconds);
  /// Everything launched is done, at an unknown time.
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
