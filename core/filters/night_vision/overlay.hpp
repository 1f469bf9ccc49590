// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture stretched over another one: the scalar twin of cl/night_vision/overlay.clh.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "image/format.hpp"

namespace sfumato::filters {

/// One pixel's view of a row or column of the overlay: the samples [first, last] and their weights,
/// which are above 0, of a tent as wide as the pixel's step, at least 2 px.
struct OverlayTent {
  float centre, scale;
  int first, last;

  /// `ratio`: the overlay's size divided by the picture's.
  OverlayTent(int i, float ratio)
      : centre(std::fma(static_cast<float>(i) + 0.5f, ratio, -0.5f)),
        scale(std::fmax(ratio, 1.0f)),
        first(static_cast<int>(std::floor(centre - scale)) + 1),
        last(static_cast<int>(std::ceil(centre + scale)) - 1) {}

  float weight(int k) const {
    return std::fmax(1.0f - std::abs(static_cast<float>(k) - centre) / scale, 0.0f);
  }
};

/// The overlay (straight colour and alpha) at a pixel of a picture of width x height,
/// premultiplied.
inline std::array<float, 4> overlay_at(const FloatView& overlay, int x, int y, int width,
                                       int height) {
  const Plane& p = overlay.plane;
  const OverlayTent across(x, static_cast<float>(p.width) / static_cast<float>(width));
  const OverlayTent down(y, static_cast<float>(p.height) / static_cast<float>(height));
  std::array<float, 4> sum{};
  float weights = 0;
  for (int j = down.first; j <= down.last; ++j) {
    for (int i = across.first; i <= across.last; ++i) {
      const float* v =
          overlay.at(p.x + std::clamp(i, 0, p.width - 1), p.y + std::clamp(j, 0, p.height - 1));
      const float w = down.weight(j) * across.weight(i);
      weights += w;
      for (std::size_t c = 0; c < 3; ++c) sum[c] = std::fma(w * v[3], v[c], sum[c]);
      sum[3] = std::fma(w, v[3], sum[3]);
    }
  }
  for (float& v : sum) v /= weights;
  return sum;
}

}  // namespace sfumato::filters
