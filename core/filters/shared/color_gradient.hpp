// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A gradient of colours as ramps to be added up; the kernels' twin is color_gradient.clh.
#pragma once

#include <array>
#include <vector>

#include "image/format.hpp"
#include "params/value.hpp"

namespace sfumato {

/// One part of the gradient, to be added: `change` of red, green, blue and alpha times how far x is
/// from `from` to `to`, 0..1. Two stops in one place make a step.
struct Ramp {
  double from = 0, to = 0;
  std::array<double, 4> change{};
};

/// The first colour, which counts everywhere, then what each further stop changes, in the numbers
/// of `light`.
std::vector<Ramp> ramps_of(const Gradient& gradient, Light light);

/// Whether some stop is not gray.
bool is_coloured(const Gradient& gradient);

/// The gradient's straight colour at x; the first one where x is not a number.
std::array<double, 4> color_at(const std::vector<Ramp>& ramps, double x);

/// The steepest change of any number between two stops.
double steepest_of(const std::vector<Ramp>& ramps);

/// Eight numbers a ramp, as color_gradient.clh takes them.
std::vector<float> ramp_table(const std::vector<Ramp>& ramps);

}  // namespace sfumato
