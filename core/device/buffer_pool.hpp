// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reusable device buffers: the page faults of a fresh large buffer cost more than a filter.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/driver.hpp"

namespace sfumato {

/// Lends memory of one driver. Not thread-safe. Launches of a driver run in order, so memory may be
/// lent again while the kernel that last read it is still running.
class BufferPool {
 public:
  /// Never holds more than `limit` bytes. Above `keep` bytes it frees buffers not on loan before it
  /// allocates more. If none are kept, sizes are not rounded up.
  BufferPool(Driver& driver, std::size_t limit, std::size_t keep);
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// A buffer of at least `bytes`, returned to the pool when the last handle goes. Throws
  /// DeviceError (memory() is true) if the limit or the device does not allow it.
  std::shared_ptr<DeviceMemory> take(std::size_t bytes);

  /// Frees all buffers not on loan.
  void trim();

  std::size_t limit() const { return limit_; }
  /// Bytes lent and kept, and their maximum so far.
  std::size_t held() const { return held_; }
  std::size_t peak() const { return peak_; }

 private:
  struct Free {
    std::size_t bytes;
    std::shared_ptr<DeviceMemory> memory;
  };
  Driver& driver_;
  std::size_t limit_, keep_;
  std::size_t held_ = 0, peak_ = 0;
  // Shared with the handles' deleters, so that a handle may outlive the pool.
  std::shared_ptr<std::vector<Free>> free_;
};

}  // namespace sfumato
