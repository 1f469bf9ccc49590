// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The pool of device buffers.
#include "device/buffer_pool.hpp"

#include <algorithm>

namespace sfumato {
namespace {

// Rounds sizes up so that nearly equal tiles share buffers: to 64 KiB, then to 1/8 of the size.
std::size_t rounded(std::size_t bytes) {
  std::size_t step = std::size_t{64} << 10;
  while (step * 16 < bytes) step *= 2;
  return std::max<std::size_t>(1, (bytes + step - 1) / step) * step;
}

}  // namespace

BufferPool::BufferPool(Driver& driver, std::size_t limit, std::size_t keep)
    : driver_(driver), limit_(limit), keep_(keep), free_(std::make_shared<std::vector<Free>>()) {}

std::shared_ptr<DeviceMemory> BufferPool::take(std::size_t bytes) {
  const std::size_t size = keep_ > 0 ? rounded(bytes) : std::max<std::size_t>(1, bytes);
  auto best = free_->end();
  for (auto it = free_->begin(); it != free_->end(); ++it) {
    const bool fits = it->bytes >= size && it->bytes <= 2 * size;
    if (fits && (best == free_->end() || it->bytes < best->bytes)) best = it;
  }
  Free item{size, nullptr};
  if (best != free_->end()) {
    item = *best;
    free_->erase(best);
  } else {
    if (held_ + size > std::min(limit_, keep_)) trim();
    if (held_ + size > limit_) {
      throw DeviceError(
          CL_MEM_OBJECT_ALLOCATION_FAILURE,
          message({"device.little_memory",
                   "the device memory limit of {limit} MB is too small for this tile"},
                  limit_ >> 20));
    }
    item.memory = driver_.allocate(size);
    held_ += size;
    peak_ = std::max(peak_, held_);
  }
  DeviceMemory* lent = item.memory.get();
  return {lent, [store = std::weak_ptr(free_), item = std::move(item)](DeviceMemory*) {
            if (auto list = store.lock()) list->push_back(item);
          }};
}

void BufferPool::trim() {
  for (const Free& item : *free_) held_ -= item.bytes;
  free_->clear();
}

}  // namespace sfumato
