// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Measures working time without pauses.
#pragma once

#include <chrono>
#include <optional>

namespace sfumato::gui {

/// Initially stopped. The caller supplies times.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  void run(bool on, Clock::time_point now) {
    if (on && !since_) since_ = now;
    if (on || !since_) return;
    before_ += now - *since_;
    since_.reset();
  }
  double seconds(Clock::time_point now) const {
    const auto all = before_ + (since_ ? now - *since_ : Clock::duration{});
    return std::chrono::duration<double>(all).count();
  }

 private:
  Clock::duration before_{};
  std::optional<Clock::time_point> since_;  // while it runs
};

}  // namespace sfumato::gui
