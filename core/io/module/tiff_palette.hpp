// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour maps of TIFF files. They hold 16-bit numbers, of which OpenImageIO keeps the upper eight
// bits; some old programs wrote 8-bit numbers, which it takes for black. Numbers of colours with
// other samples beside them, such as opacity, are shown to it as gray, and looked up by us.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "io/module/bytes.hpp"
#include "io/module/overlay.hpp"

namespace sfumato::files {

/// A page's colours: all reds, then all greens, then all blues.
struct ColorMap {
  std::uint64_t at = 0;  ///< in the file
  std::vector<std::uint64_t> values;

  /// As libtiff's own tools decide.
  bool has_8_bits() const {
    return std::all_of(values.begin(), values.end(), [](auto v) { return v < 256; });
  }
  bool has_16_bits() const {
    const auto more = [](auto v) { return v % 256 != 0 && v % 257 != 0; };
    return !has_8_bits() && std::any_of(values.begin(), values.end(), more);
  }
};

/// How a page with a colour map is shown to OpenImageIO.
struct ShownPalette {
  std::vector<Patch> patches;
  ColorMap map;  ///< where colours are looked up by us, else empty
};

/// An 8-bit colour map as a 16-bit one, numbers with other samples as gray, no place on a page
/// that is too far away, and no strips of more rows than there are.
ShownPalette shown_palette(Bytes& in, const TiffDirectory& directory);

}  // namespace sfumato::files
