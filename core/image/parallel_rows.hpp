// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs the rows of a picture on all processors, with progress and cancelling.
#pragma once

#include <exception>
#include <functional>
#include <utility>

namespace sfumato {

/// Thrown between pieces of work after the caller cancelled.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// Calls a body once for each row of a range, in any order, on several threads.
class ParallelRows {
 public:
  /// `tick` receives the number of finished rows. It returns false to cancel and is not called
  /// again after that; it may be empty. It runs on one thread at a time. `threads` 0: one per
  /// processor.
  explicit ParallelRows(std::function<bool(int done, int total)> tick = {}, unsigned threads = 0)
      : tick_(std::move(tick)), threads_(threads) {}

  /// Calls body(y) for y0 <= y < y1. Throws Cancelled, or the first exception of the body.
  void run(int y0, int y1, const std::function<void(int y)>& body) const;

 private:
  std::function<bool(int, int)> tick_;
  unsigned threads_;
};

}  // namespace sfumato
