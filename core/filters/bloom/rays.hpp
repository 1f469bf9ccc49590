// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The rays of a star filter, as weighted sums of shifted pictures. Source: Kawase, Frame Buffer
// Postprocessing Effects in DOUBLE-S.T.E.A.L (Wreckless), GDC 2003: each pass sums four samples,
// four times as far apart as those of the pass before, so that n passes sum 4^n of them.
#pragma once

#include <vector>

#include "image/plane.hpp"

namespace sfumato::filters {

/// The pixel this far away, times `weight`, is added.
struct RayTap {
  int dx, dy;
  float weight;
};
using RayPass = std::vector<RayTap>;
/// The passes of a ray, to be run in order. The weights of all taken together add up to 1.
using Ray = std::vector<RayPass>;

/// `count` rays, evenly spread from `angle` on (degrees, counterclockwise from the right). They
/// fade exponentially, to one hundredth at a distance of `length` px.
std::vector<Ray> rays_of(int count, double angle, double length);

/// The pixels that a pass reads to compute those of `out`.
Rect read_by(const RayPass& pass, const Rect& out);

/// How far a ray's light comes from, in the direction where that is farthest.
int reach_of(const Ray& ray);

}  // namespace sfumato::filters
