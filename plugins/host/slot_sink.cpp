// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Waiting for slots, and filling them.
#include "host/slot_sink.hpp"

#include <algorithm>
#include <cstddef>

#include "image/parallel_rows.hpp"

namespace sfumato::hosts {

void FreeSlots::reset(int count) {
  const std::lock_guard lock(mutex_);
  taken_.assign(static_cast<std::size_t>(count), false);
}

int FreeSlots::take(const std::atomic<bool>& cancelled) {
  std::unique_lock lock(mutex_);
  auto free = taken_.end();
  changed_.wait(lock, [&] {
    free = std::find(taken_.begin(), taken_.end(), false);
    return free != taken_.end() || cancelled;
  });
  if (cancelled) throw Cancelled();
  *free = true;
  return static_cast<int>(free - taken_.begin());
}

void FreeSlots::give(int slot) {
  const std::lock_guard lock(mutex_);
  const auto i = static_cast<std::size_t>(slot);
  if (i >= taken_.size() || !taken_[i]) throw ProtocolError("a slot came back that was not sent");
  taken_[i] = false;
  changed_.notify_all();
}

void FreeSlots::wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void SlotSink::write(const HostView& pixels) {
  const std::size_t pitch =
      static_cast<std::size_t>(pixels.region.width()) * slots_.format.pixel_bytes();
  std::size_t rows = std::min<std::size_t>(slots_.bytes / pitch, 1 << 20);
  if (rows > whole_tiles) rows = rows / whole_tiles * whole_tiles;
  by_strips(pixels, static_cast<int>(rows), [&](const HostView& strip) {
    const int slot = free_.take(cancelled_);
    char* const to = memory_ + static_cast<std::size_t>(slot) * slots_.bytes;
    MemorySink(slots_.format, {to, static_cast<std::ptrdiff_t>(pitch), strip.region}).write(strip);
    channel_.send(PacketKind::pixels, text_of(Piece{slot, strip.region}));
  });
}

}  // namespace sfumato::hosts
