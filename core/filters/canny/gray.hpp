// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny's gray picture and its gradient in scalar code: the bit-exact twin of cl/canny/gray.clh and
// canny/gradient.clh.
#pragma once

#include <cstdint>
#include <vector>

#include "filters/canny/settings.hpp"

namespace sfumato {

/// Sector of the gradient's direction, folded to half a turn; falling is towards the lower right.
enum class CannySector : int { horizontal, vertical, falling, rising };

/// Eight times the gradient per pixel, with y pointing down.
struct CannyGradient {
  std::int32_t x = 0, y = 0;

  /// Its squared length.
  std::int64_t strength() const { return std::int64_t{x} * x + std::int64_t{y} * y; }
  CannySector sector() const;
};

class CannyGray {
 public:
  /// Blurred gray values of `rect` and one pixel around it, under the border rule. If pixels may be
  /// missing, transparent and outside pixels do not exist: they have no weight, and no difference
  /// to anything.
  CannyGray(const CannySettings& settings, const ReferenceJob& job, const Rect& rect);

  /// At a pixel of `rect`.
  CannyGradient gradient(int x, int y, CannyOperator kind) const;

 private:
  struct Weighed;

  /// Gray values over a rectangle, and their weights.
  static Weighed weigh(const CannySettings& settings, const ReferenceJob& job, const Rect& rect);
  /// Sets the pixels to the blurred `from`, which covers `wide`.
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
