// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A gradient of colours as a sum of ramps; the kernels' twin is color_gradient.clh.
#pragma once

#include <array>
#include <vector>

#include "image/format.hpp"
#include "params/value.hpp"

namespace sfumato {

/// One term of the gradient: `change` of red, green, blue and alpha times the position of x between
/// `from` and `to`, 0..1. Two stops at one position make a step.
struct Ramp {
  double from = 0, to = 0;
  std::array<double, 4> change{};
};

/// The first colour, which applies everywhere, then the change at each further stop, in the numbers
/// of `light`.
std::vector<Ramp> ramps_of(const Gradient& gradient, Light light);

/// Whether some stop is not gray.
bool is_coloured(const Gradient& gradient);

/// The gradient's straight colour at x; the first colour if x is NaN.
std::array<double, 4> color_at(const std::vector<Ramp>& ramps, double x);

/// The steepest slope of any component between two stops.
double steepest_of(const std::vector<Ramp>& ramps);

/// The colour at x, from 0 to 1, of a picture's middle row in place of a gradient; linear between
/// two pixels, the left end if x is NaN.
std::array<float, 4> color_in_row(const FloatView& picture, float x);

/// How many times the difference of two devices may be amplified by such a picture.
inline constexpr double steepest_row = 255;

/// Eight floats per ramp, as color_gradient.clh expects them.
std::vector<float> ramp_table(const std::vector<Ramp>& ramps);

}  // namespace sfumato
