// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "filters/bloom/rays.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sfumato::filters {
namespace {

constexpr double faded = 0.01;       // of a ray's brightness is left at its length
constexpr double end = 1.5;          // lengths: 0.001 is left, where a cut is not seen
constexpr double least_part = 1e-6;  // of a pixel

// Adds the sample `steps` along the longer of the ray's axes. It lies between two pixels.
void add_sample(RayPass& pass, int steps, double across, bool upright, double weight) {
  const double place = steps * across;
  const double near = std::floor(place + least_part);
  const double part = std::max(place - near, 0.0);
  const auto add = [&](int minor, double share) {
    if (share < least_part) return;
    const auto w = static_cast<float>(weight * share);
    pass.push_back(upright ? RayTap{minor, steps, w} : RayTap{steps, minor, w});
  };
  add(static_cast<int>(near), 1 - part);
  add(static_cast<int>(near) + 1, part);
}

Ray ray_of(double radians, double length) {
  // Light comes from the opposite direction; rows count downwards.
  const double x = -std::cos(radians), y = std::sin(radians);
  const bool upright = std::abs(y) > std::abs(x);
  const double along = upright ? y : x, across = upright ? x : y;
  const int sign = along < 0 ? -1 : 1;
  const double fading = std::pow(faded, 1 / (length * std::abs(along)));
  const int samples = std::max(1, static_cast<int>(std::ceil(end * length * std::abs(along))));
  Ray ray;
  int size = 1;
  while (size < samples) {
    const int count = std::min(4, (samples + size - 1) / size);
    RayPass& pass = ray.emplace_back();
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::pow(fading, i * size);
    for (int i = 0; i < count; ++i) {
      add_sample(pass, sign * i * size, across / along, upright, std::pow(fading, i * size) / sum);
    }
    size *= count;
  }
  return ray;
}

}  // namespace

std::vector<Ray> rays_of(int count, double angle, double length) {
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    rays.push_back(ray_of((angle + 360.0 * i / count) * std::numbers::pi / 180, length));
  }
  return rays;
}

Rect read_by(const RayPass& pass, const Rect& out) {
  Rect in = out;
  for (const RayTap& tap : pass) {
    in = in.united({out.x0 + tap.dx, out.y0 + tap.dy, out.x1 + tap.dx, out.y1 + tap.dy});
  }
  return in;
}

int reach_of(const Ray& ray) {
  Rect reached;
  for (const RayPass& pass : ray) reached = read_by(pass, reached);
  return std::max(std::max(-reached.x0, reached.x1), std::max(-reached.y0, reached.y1));
}

}  // namespace sfumato::filters
