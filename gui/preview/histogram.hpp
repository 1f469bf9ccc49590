// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How often each brightness is there.
#pragma once

#include <array>
#include <cstdint>

#include "io/io.hpp"

namespace sfumato::gui {

/// Counts of pixels by brightness as it is shown, on the sRGB curve; pixels that are wholly
/// transparent are left out.
struct Histogram {
  static constexpr std::size_t bins = 256;
  using Counts = std::array<std::uint32_t, bins>;

  int channels = 0;                      ///< 1 gray, 3 colour, 0 nothing was counted
  std::array<Counts, 3> channel{};       ///< what is clipped counts at the ends; NaN nowhere
  Counts luminance{};                    ///< Rec. 709 weights, of coded values
  std::array<std::uint32_t, 3> below{};  ///< less than black, by channel
  std::array<std::uint32_t, 3> above{};  ///< more than white
  std::array<std::uint32_t, 3> no_number{};
  std::uint32_t pixels = 0;

  bool operator==(const Histogram&) const = default;
};

/// Of float pixels, `exposure` stops brighter. Any thread.
Histogram histogram_of(const HeldPicture& values, double exposure = 0);

}  // namespace sfumato::gui
