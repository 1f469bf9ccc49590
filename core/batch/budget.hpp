// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Bytes that may be in use at once.
#pragma once

#include <algorithm>
#include <cstddef>

namespace sfumato {

/// Counts bytes against a limit. Not thread-safe: the owner's lock guards it.
class Budget {
 public:
  explicit Budget(std::size_t limit) : limit_(limit) {}

  /// Whether this many more bytes may be taken: they fit within the limit, or none are taken yet.
  bool fits(std::size_t bytes) const {
    return used_ == 0 || bytes <= limit_ - std::min(used_, limit_);
  }
  void take(std::size_t bytes) {
    used_ += bytes;
    most_ = std::max(most_, used_);
  }
  void give_back(std::size_t bytes) { used_ -= std::min(bytes, used_); }

  std::size_t used() const { return used_; }
  std::size_t limit() const { return limit_; }
  std::size_t most() const { return most_; }

 private:
  std::size_t limit_, used_ = 0, most_ = 0;
};

}  // namespace sfumato
