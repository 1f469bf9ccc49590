// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows of a picture shared out to all processors, with progress and cancelling.
#pragma once

#include <exception>
#include <functional>
#include <utility>

namespace sfumato {

/// Thrown between pieces of work when the caller asked to stop.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// Runs a body once for each row of a range, in any order and on several threads.
class ParallelRows {
 public:
  /// `tick` is told how many rows are done; it returns false to cancel, after which it is not
  /// called again, and may be empty. It is called from one thread at a time. `threads` 0 = one per
  /// processor.
  explicit ParallelRows(std::function<bool(int done, int total)> tick = {}, unsigned threads = 0)
      : tick_(std::move(tick)), threads_(threads) {}

  /// Calls body(y) for y0 <= y < y1. Throws Cancelled, or what the body threw first.
  void run(int y0, int y1, const std::function<void(int y)>& body) const;

 private:
  std::function<bool(int, int)> tick_;
  unsigned threads_;
};

}  // namespace sfumato
