// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Differences of colours as they are seen: CIEDE2000 (ISO/CIE 11664-6:2014), with parametric
// factors of 1. Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes,
// Supplementary Test Data, and Mathematical Observations", Color Research and Application 30 (1),
// 2005.
#pragma once

#include <array>
#include <cstddef>

namespace sfumato {

/// L*, a*, b* of CIE 1976.
using Lab = std::array<double, 3>;

/// Linear light with sRGB's primaries to Lab with sRGB's white, D65.
Lab lab_of(double red, double green, double blue);

/// The difference of two colours, in double precision.
double ciede2000(const Lab& a, const Lab& b);

/// The differences of `count` pairs of pixels in linear light with sRGB's primaries, to 0.002 of
/// a unit for colours that can be shown. Red, green and blue of a pixel follow each other, and
/// `stride` floats lie between pixels. A pixel with a part that is not finite gives NaN.
void ciede2000(const float* a, const float* b, std::size_t stride, std::size_t count, float* out);

}  // namespace sfumato
