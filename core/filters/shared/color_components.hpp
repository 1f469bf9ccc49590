// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Components of colour in scalar code: the definitions behind cl/shared/color_components.clh.
// HSV and HSL after Smith, Color Gamut Transform Pairs, SIGGRAPH 1978, with hue and saturation 0
// for gray, which keeps its value; YIQ after the NTSC standard of 1953.
#pragma once

#include <array>

namespace sfumato {

using Triple = std::array<double, 3>;

/// Hue 0..1 (1 is 0 again), saturation, value. If the largest component is 0 or less, saturation is
/// 0.
Triple hsv_of(const Triple& rgb);
Triple rgb_of_hsv(const Triple& hsv);

/// Hue 0..1, saturation, lightness (the mean of the largest and the smallest component). Meant for
/// components in 0..1; elsewhere, saturation is 0 where it is undefined.
Triple hsl_of(const Triple& rgb);
Triple rgb_of_hsl(const Triple& hsl);

/// A 3 x 3 matrix followed by an offset.
struct ColorMatrix {
  std::array<std::array<double, 4>, 3> rows;
  Triple operator()(const Triple& c) const;
  /// The inverse of this matrix and offset.
  ColorMatrix inverse() const;
};
/// The form passed to kernels: three rows of four.
std::array<float, 12> float_rows(const ColorMatrix& matrix);
/// Converts to Y, I + 0.5 and Q + 0.5.
const ColorMatrix& yiq_matrix();

/// The first three numbers of a pixel.
inline Triple triple(const float* pixel) {
  return {static_cast<double>(pixel[0]), static_cast<double>(pixel[1]),
          static_cast<double>(pixel[2])};
}

}  // namespace sfumato
