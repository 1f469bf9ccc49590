// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a bilateral filter is computed: its weights and its kernel launches, all as data.
// pass_plan.hpp says how the passes are executed; the kernels are those of bilateral.cl.
#pragma once

#include "filters/shared/pass_plan.hpp"

namespace sfumato {

enum class BilateralDistance : int { color, channel, luminance };

/// Sizes of the passes: they change the speed, never the pixels.
struct BilateralSizes {
  // GPU form.
  int results = 8, results_tall = 4;  ///< of one item; tall windows reach beyond 12 rows
  int group_columns = 32, group_rows = 4;
  // CPU form.
  int strip_columns = 64, strip_rows = 16;
};

struct BilateralRequest {
  double sigma = 3.0;
  double range_sigma = 0.1;
  int radius = 0;  ///< 0 = ceil(3 sigma)
  BilateralDistance distance = BilateralDistance::color;
  bool separable = false;  ///< rows, then columns of what the rows gave
  /// Only taps at even picture coordinates, and a quarter of the pixel itself where it is not one.
  bool lattice = false;
  int channels = 4;       ///< 4: straight colour and alpha; 1: gray
  bool has_alpha = true;  ///< false where every alpha is 1: it is kept and costs nothing
  int longer_side = 0;    ///< of the picture; 0 where it is not known
  PlanDevice device;
  BilateralSizes sizes;
};

/// The half-width of the window.
int bilateral_radius(const BilateralRequest& request);

/// What colours are multiplied by, so that their squared distance is the logarithm (base 2) of a
/// weight.
double bilateral_color_scale(const BilateralRequest& request);

/// What the kernels of bilateral.cl must be built with for any pass.
std::string bilateral_options(const BilateralRequest& request);

/// Input pixels needed on every side of an output rectangle: the radius, or a little more where
/// the kernel pads its window with samples of no weight.
int bilateral_halo(const BilateralRequest& request);

/// The passes that compute exactly `out` from `in`, float pixels at both ends; `in` must hold every
/// pixel that the border rule of `edge` can ask for within bilateral_halo() of `out`.
PassPlan plan_bilateral(const BilateralRequest& request, const Plane& in, const Edge& edge,
                        const Plane& out);

}  // namespace sfumato
