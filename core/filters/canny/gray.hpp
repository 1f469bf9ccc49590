// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The gray picture that canny looks at, and its gradient, in scalar code: the twin of
// cl/canny/gray.clh and canny/gradient.clh, to the last bit.
#pragma once

#include <cstdint>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// Gray values count in this many units of a colour's full scale, on which every 8-bit and 16-bit
/// code lies; they are sums of the colours, 3 or 1.
inline constexpr int canny_units = 262140;

enum class CannyOperator : int { sobel, two_by_two };
/// Of the gradient's direction, folded to half a turn: to the lower right is falling.
enum class CannySector : int { horizontal, vertical, falling, rising };

/// Eight times the gradient per pixel, y down.
struct CannyGradient {
  std::int32_t x = 0, y = 0;

  /// Its squared length.
  std::int64_t strength() const { return std::int64_t{x} * x + std::int64_t{y} * y; }
  CannySector sector() const;
};

class CannyGray {
 public:
  /// Gray values of `rect` and one pixel around it, under the border rule, blurred with the taps
  /// (`taps[0]` the middle one). With `missing`, pixels that are transparent or outside do not
  /// exist: they weigh nothing, and nothing differs from them.
  CannyGray(const ReferenceJob& job, const Rect& rect, const std::vector<float>& taps,
            bool missing);

  /// At a pixel of `rect`.
  CannyGradient gradient(int x, int y, CannyOperator kind) const;

 private:
  std::int32_t at(int x, int y) const {
    return pixels_[static_cast<std::size_t>(y - rect_.y0) *
                       static_cast<std::size_t>(rect_.width()) +
                   static_cast<std::size_t>(x - rect_.x0)];
  }

  Rect rect_;
  std::vector<std::int32_t> pixels_;
};

}  // namespace sfumato
