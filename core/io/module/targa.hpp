// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Headers of TGA files (Truevision TGA File Format Specification 2.0).
#pragma once

#include <optional>

#include "io/module/bytes.hpp"

namespace sfumato::files {

struct TargaHeader {
  std::uint64_t id_size = 0, map_kind = 0, kind = 0, first = 0, map_size = 0, entry_bits = 0,
                depth = 0, descriptor = 0;
  std::optional<std::uint64_t> attributes;  ///< what the extension area says of the fourth samples
  bool has_opacity = true;                  ///< nothing says that they are none
  std::uint64_t area = 0, developer = 0;    ///< where the extension and developer areas are

  explicit TargaHeader(Bytes& in);

  bool packed() const { return kind >= 9; }
  bool by_numbers() const { return (kind & 7) == 1; }
  bool top_down() const { return (descriptor & 0x20) != 0; }
  bool right_to_left() const { return (descriptor & 0x10) != 0; }
  /// In an order that version 2.0 no longer has.
  bool interleaved() const { return (descriptor & 0xc0) != 0; }
  std::uint64_t attribute_bits() const { return descriptor & 15; }
  int bytes() const { return static_cast<int>((depth + 7) / 8); }  ///< of a pixel
  std::uint64_t map() const { return 18 + id_size; }
  std::uint64_t data() const {
    return map() + (map_kind == 1 ? map_size * ((entry_bits + 7) / 8) : 0);
  }
  bool is_premultiplied() const { return attributes == 4; }
  /// Whether OpenImageIO's reader does not suffice.
  bool is_unusual() const {
    constexpr std::uint64_t colors = 2;
    return interleaved() || by_numbers() || ((kind & 7) == colors && (depth == 15 || depth == 16));
  }
};

}  // namespace sfumato::files
