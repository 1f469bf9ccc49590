// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A worker's result, passed to its host in pieces while the rest is computed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "device/channel.hpp"
#include "engine/pixels.hpp"
#include "host/protocol.hpp"

namespace sfumato::hosts {

/// Which slots may be filled. Thread-safe.
class FreeSlots {
 public:
  /// All of `count` are free.
  void reset(int count);
  /// Waits for a free one and takes it. Throws Cancelled once `cancelled` is set; see wake().
  int take(const std::atomic<bool>& cancelled);
  /// Throws ProtocolError for one that nobody has taken.
  void give(int slot);
  /// To be called when `cancelled` was set.
  void wake();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> taken_;
};

/// Copies pixels to slots and announces each. write() throws Cancelled, Closed.
class SlotSink final : public PixelSink {
 public:
  /// `memory` holds the slots; all arguments must outlive this.
  SlotSink(const SharedSlots& slots, char* memory, FreeSlots& free,
           const std::atomic<bool>& cancelled, Channel& channel)
      : slots_(slots), memory_(memory), free_(free), cancelled_(cancelled), channel_(channel) {
    free_.reset(slots.count);
  }
  const PictureFormat& format() const override { return slots_.format; }
  bool wants_bands() const override { return slots_.bands; }
  void write(const HostView& pixels) override;

 private:
  const SharedSlots& slots_;
  char* memory_;
  FreeSlots& free_;
  const std::atomic<bool>& cancelled_;
  Channel& channel_;
};

}  // namespace sfumato::hosts
