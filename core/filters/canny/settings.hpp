// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What canny computes of a picture: chosen once, for the passes and the reference alike.
#pragma once

#include <cstdint>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// Gray values count in this many units of a colour's full scale, on which every 8-bit and 16-bit
/// code lies; they are sums of the colours, 3 or 1.
inline constexpr int canny_units = 262140;

// The numbers are those of cl/canny/canny.cl and the files it includes.
enum class CannyOperator : int { sobel, two_by_two };
enum class CannyShow : int { magnitude, direction, thinned, edges };

CannyOperator canny_operator(const Values& values);
CannyShow canny_show(const Values& values);

struct CannySettings {
  CannySettings(const Values& values, const Picture& picture);

  Picture picture;
  CannyOperator kind;
  CannyShow show;
  int radius;               ///< of the Gaussian; 0: none
  std::vector<float> taps;  ///< one half, from the middle on
  int close_gaps;           ///< px
  bool missing;             ///< there may be pixels that do not exist
  bool narrow;              ///< samples, not blurred: compared as the small numbers they are
  /// Squared gradients above them are above the thresholds.
  std::int64_t low, high;

  /// Values are sums of so many colours.
  int colors() const { return picture.channels == 4 ? 3 : 1; }
  /// What a gradient is multiplied by to be that of the mean colour per pixel.
  float scale() const { return 1.0f / static_cast<float>(8 * canny_units * colors()); }
  /// Pixels whose gradients are asked for, to show the pixels of `out`.
  Rect measured(const Rect& out) const;
};

}  // namespace sfumato
