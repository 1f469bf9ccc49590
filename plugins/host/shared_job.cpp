// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Copies pictures to shared memory.
#include "host/shared_job.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sfumato::hosts {

int SharedJob::attach(SharedMemory memory) {
  descriptors_.push_back(memory.descriptor());
  memories_.push_back(std::move(memory));
  return static_cast<int>(memories_.size()) - 1;
}

SharedImage SharedJob::add(PixelSource& from, const Rect& part) {
  SharedImage image;
  image.format = from.format();
  image.region = part;
  SharedMemory memory = spare_.take(image.bytes());
  from.read(part, memory.data(), static_cast<std::ptrdiff_t>(image.row_bytes()));
  image.descriptor = attach(std::move(memory));
  return image;
}

void SharedJob::add_roles(const Roles& roles, const Rect& needed) {
  for (const auto& [key, role] : roles.opened) {
    SharedRole shared;
    shared.step = key.first;
    shared.name = key.second;
    const Rect covered = shared.covered = role.source->covered();
    const Rect part = role.aligned ? needed.intersected(covered) : role.source->format().rect();
    // If the role does not overlap what is needed, any one of its pixels stands for it.
    const Rect first{covered.x0, covered.y0, covered.x0 + 1, covered.y0 + 1};
    shared.image = add(*role.source, part.empty() ? first : part);
    request.roles.push_back(std::move(shared));
  }
}

void SharedJob::add_slots(const PixelSink& sink, const Rect& region) {
  constexpr std::size_t usual = std::size_t{4} << 20, most = std::size_t{16} << 20;
  SharedSlots& slots = request.sink;
  slots.format = sink.format();
  slots.region = region;
  slots.bands = sink.wants_bands();
  const std::size_t row = static_cast<std::size_t>(region.width()) * slots.format.pixel_bytes();
  const std::size_t all = row * static_cast<std::size_t>(region.height());
  slots.bytes = std::min(all, std::max(row, std::clamp(whole_tiles * row, usual, most)));
  slots.count = slots.bytes < all ? 3 : 1;
  slots.descriptor = attach(spare_.take(static_cast<std::size_t>(slots.count) * slots.bytes));
}

HostView SharedJob::view(const Piece& piece) const {
  const SharedSlots& slots = request.sink;
  const std::size_t pitch =
      static_cast<std::size_t>(piece.region.width()) * slots.format.pixel_bytes();
  char* const memory = memories_[static_cast<std::size_t>(slots.descriptor)].data();
  return {memory + static_cast<std::size_t>(piece.slot) * slots.bytes,
          static_cast<std::ptrdiff_t>(pitch), piece.region};
}

void SharedJob::give_back() {
  for (SharedMemory& memory : memories_) spare_.give(std::move(memory));
  memories_.clear();
  descriptors_.clear();
}

}  // namespace sfumato::hosts
