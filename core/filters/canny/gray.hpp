// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The gray picture that canny looks at, and its gradient, in scalar code: the twin of
// cl/canny/gray.clh and canny/gradient.clh, to the last bit.
#pragma once

#include <cstdint>
#include <vector>

#include "filters/canny/settings.hpp"

namespace sfumato {

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
  /// Gray values of `rect` and one pixel around it, under the border rule, blurred. Where pixels
  /// may be missing, those that are transparent or outside do not exist: they weigh nothing, and
  /// nothing differs from them.
  CannyGray(const CannySettings& settings, const ReferenceJob& job, const Rect& rect);

  /// At a pixel of `rect`.
  CannyGradient gradient(int x, int y, CannyOperator kind) const;

 private:
  struct Weighed;

  /// Gray over a rectangle, and what it weighs.
  static Weighed weigh(const CannySettings& settings, const ReferenceJob& job, const Rect& rect);
  /// Sets the pixels to `from`, which was weighed over `wide`, blurred.
  void blur(const CannySettings& settings, const ParallelRows& rows, const Weighed& from,
            const Rect& wide);
  std::int32_t at(int x, int y) const {
    return pixels_[static_cast<std::size_t>(y - rect_.y0) *
                       static_cast<std::size_t>(rect_.width()) +
                   static_cast<std::size_t>(x - rect_.x0)];
  }

  Rect rect_;
  std::vector<std::int32_t> pixels_;
};

}  // namespace sfumato
