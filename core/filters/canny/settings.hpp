// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny's settings for a picture: chosen once, shared by the passes and the reference.
#pragma once

#include <cstdint>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// Units per full scale of one colour in gray values. All 8-bit and 16-bit values are whole
/// multiples of them. A gray value is the sum of its colours, 3 or 1.
inline constexpr int canny_units = 262140;

// Values as in cl/canny/canny.cl and the files it includes.
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
  std::vector<float> taps;  ///< one half, centre first
  int close_gaps;           ///< px
  bool missing;             ///< some pixels may not exist
  bool narrow;              ///< unblurred samples, which fit in small integers
  /// Squared gradients above these exceed the thresholds.
  std::int64_t low, high;

  /// Number of colours in each sum.
  int colors() const { return picture.channels == 4 ? 3 : 1; }
  /// Factor that turns a gradient into that of the mean colour per pixel.
  float scale() const { return 1.0f / static_cast<float>(8 * canny_units * colors()); }
  /// The pixels whose gradients are needed to show the pixels of `out`.
  Rect measured(const Rect& out) const;
};

}  // namespace sfumato
