// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Histograms of brightness.
#pragma once

#include <array>
#include <cstdint>

#include "io/io.hpp"

namespace sfumato::gui {

/// Counts of pixels by displayed brightness, on the sRGB curve; fully transparent pixels are left
/// out.
struct Histogram {
  static constexpr std::size_t bins = 256;
  using Counts = std::array<std::uint32_t, bins>;

  int channels = 0;                      ///< 1 gray, 3 colour, 0 if nothing was counted
  std::array<Counts, 3> channel{};       ///< clipped values count at the ends; NaN is not counted
  Counts luminance{};                    ///< Rec. 709 weights on coded values
  std::array<std::uint32_t, 3> below{};  ///< below black, by channel
  std::array<std::uint32_t, 3> above{};  ///< above white
  std::array<std::uint32_t, 3> no_number{};
  std::uint32_t pixels = 0;

  bool operator==(const Histogram&) const = default;
};

/// Of float pixels, `exposure` stops brighter. Thread-safe.
Histogram histogram_of(const HeldPicture& values, double exposure = 0);

}  // namespace sfumato::gui
