// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Copying a window on the device.
#include "filters/support/point.hpp"

namespace sfumato {

void copy_window(const DeviceImage& from, const DeviceImage& to, Passes& passes) {
  const std::size_t pixel = static_cast<std::size_t>(from.channels) * sizeof(float);
  const auto bytes_at = [pixel](const Plane& p, int x, int y) {
    return static_cast<std::size_t>(p.index(x, y)) * pixel;
  };
  const Plane& out = to.plane;
  const std::size_t row = static_cast<std::size_t>(out.width) * pixel;
  checked("copying pixels", [&] {
    const std::size_t from_pitch = static_cast<std::size_t>(from.plane.stride) * pixel;
    const std::size_t to_pitch = static_cast<std::size_t>(out.stride) * pixel;
    const std::size_t from_at = bytes_at(from.plane, out.x, out.y);
    const std::size_t to_at = bytes_at(out, out.x, out.y);
    passes.context().queue().enqueueCopyBufferRect(
        *from.buffer, *to.buffer, {from_at % from_pitch, from_at / from_pitch, 0},
        {to_at % to_pitch, to_at / to_pitch, 0}, {row, static_cast<std::size_t>(out.height), 1},
        from_pitch, 0, to_pitch, 0);
  });
}

}  // namespace sfumato
