// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Splits gradients into ramps.
#include "filters/shared/color_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "image/transfer.hpp"

namespace sfumato {
namespace {

std::array<double, 4> color_of(const Color& color, Light light) {
  std::array<double, 4> out{color.r, color.g, color.b, color.a};
  if (light != Light::linear) return out;
  for (std::size_t i = 0; i < 3; ++i) out[i] = decode(Coding::srgb(), out[i]);
  return out;
}

// The ramp's position 0..1; 0 for NaN, as before the ramp.
double part_of(const Ramp& ramp, double x) {
  if (ramp.to > ramp.from) {
    return std::fmin(std::fmax((x - ramp.from) / (ramp.to - ramp.from), 0.0), 1.0);
  }
  return x >= ramp.to ? 1 : 0;
}

}  // namespace

std::vector<Ramp> ramps_of(const Gradient& gradient, Light light) {
  const std::vector<Gradient::Stop>& stops = gradient.stops;
  std::vector<Ramp> ramps{{0, 0, color_of(stops[0].color, light)}};
  for (std::size_t i = 1; i < stops.size(); ++i) {
    Ramp ramp{stops[i - 1].position, stops[i].position, color_of(stops[i].color, light)};
    const auto before = color_of(stops[i - 1].color, light);
    for (std::size_t c = 0; c < 4; ++c) ramp.change[c] -= before[c];
    ramps.push_back(ramp);
  }
  return ramps;
}

bool is_coloured(const Gradient& gradient) {
  return std::any_of(gradient.stops.begin(), gradient.stops.end(), [](const Gradient::Stop& stop) {
    return stop.color.r != stop.color.g || stop.color.g != stop.color.b;
  });
}

std::array<double, 4> color_at(const std::vector<Ramp>& ramps, double x) {
  std::array<double, 4> color = ramps[0].change;
  for (std::size_t i = 1; i < ramps.size(); ++i) {
    const double part = part_of(ramps[i], x);
    for (std::size_t c = 0; c < 4; ++c) color[c] += ramps[i].change[c] * part;
  }
  return color;
}

double steepest_of(const std::vector<Ramp>& ramps) {
  double steepest = 0;
  for (const Ramp& r : ramps) {
    for (const double change : r.change) {
      if (r.to > r.from) steepest = std::max(steepest, std::abs(change) / (r.to - r.from));
    }
  }
  return steepest;
}

std::array<float, 4> color_in_row(const FloatView& picture, float x) {
  const Plane& row = picture.plane;
  const float at = std::fmin(std::fmax(x, 0.0f), 1.0f) * static_cast<float>(row.width - 1);
  const int i = std::min(static_cast<int>(at), std::max(row.width - 2, 0));
  const float part = at - static_cast<float>(i);
  const float* left = picture.at(row.x + i, row.y + row.height / 2);
  const float* right = row.width > 1 ? left + 4 : left;
  std::array<float, 4> color{};
  for (std::size_t c = 0; c < 4; ++c) color[c] = std::fma(part, right[c] - left[c], left[c]);
  return color;
}

std::vector<float> ramp_table(const std::vector<Ramp>& ramps) {
  std::vector<float> numbers;
  for (const Ramp& r : ramps) {
    const double scale = r.to > r.from ? 1 / (r.to - r.from) : 0;
    for (const double v :
         {r.change[0], r.change[1], r.change[2], r.change[3], r.from, r.to, scale, 0.0}) {
      numbers.push_back(static_cast<float>(v));
    }
  }
  return numbers;
}

}  // namespace sfumato
