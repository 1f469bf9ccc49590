// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Device buffers that are reused: a fresh large buffer costs more in page faults than a filter.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/device_error.hpp"

namespace sfumato {

/// Lends buffers of one context. Not thread-safe: it belongs to one session's queue, whose
/// in-order execution makes it right to lend a buffer again while its last reader still runs.
class BufferPool {
 public:
  /// Never holds more than `limit` bytes; beyond `keep` it lets go what is not lent before it
  /// takes more.
  BufferPool(const cl::Context& context, std::size_t limit, std::size_t keep);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// A buffer of at least `bytes`, given back to the pool when the last handle goes.
  /// Throws DeviceError (memory() is true) if the limit or the device does not allow it.
  std::shared_ptr<cl::Buffer> take(std::size_t bytes);

  /// Frees everything not lent at the moment.
  void trim();

  std::size_t limit() const { return limit_; }
  /// Bytes lent and kept, and the largest sum so far.
  std::size_t held() const { return held_; }
  std::size_t peak() const { return peak_; }

 private:
  struct Free;
  const std::unique_ptr<const cl::Context> context_;
  std::size_t limit_, keep_;
  std::size_t held_ = 0, peak_ = 0;
  // Shared with the handles' deleters, so that a handle may outlive the pool.
  std::shared_ptr<std::vector<Free>> free_;
};

}  // namespace sfumato
