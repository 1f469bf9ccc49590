// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a bilateral filter is computed: its weights and kernel launches, as data. pass_plan.hpp says
// how passes are executed; the kernels are those of bilateral.cl.
#pragma once

#include "filters/shared/pass_plan.hpp"

namespace sfumato {

enum class BilateralDistance : int { color, channel, luminance };

/// Sizes of the passes, which affect the speed but never the pixels.
struct BilateralSizes {
  // GPU form.
  int results = 8, results_tall = 4;  ///< per item; tall windows reach beyond 12 rows
  int group_columns = 32, group_rows = 4;
  // CPU form.
  int strip_columns = 64, strip_rows = 16;
};

struct BilateralRequest {
  double sigma = 3.0;
  double range_sigma = 0.1;
  int radius = 0;  ///< 0 = ceil(3 sigma)
  BilateralDistance distance = BilateralDistance::color;
  bool separable = false;  ///< filters rows, then the columns of that result
  /// Only taps at even picture coordinates, plus a quarter of the pixel itself if it is not one of
  /// them.
  bool lattice = false;
  int channels = 4;       ///< 4: straight colour and alpha; 1: gray
  bool has_alpha = true;  ///< false if every alpha is 1; alpha is then kept at no cost
  int longer_side = 0;    ///< of the picture; 0 if unknown
  PlanDevice device;
  BilateralSizes sizes;
};

/// Whether each channel of a colour picture is filtered by itself.
inline bool filters_channels_apart(const BilateralRequest& request) {
  return request.channels == 4 && request.distance == BilateralDistance::channel;
}

/// The half-width of the window.
int bilateral_radius(const BilateralRequest& request);

/// Factor for colours that turns their squared distance into the binary logarithm of a weight.
double bilateral_color_scale(const BilateralRequest& request);

/// Build options of the kernels of bilateral.cl for any pass.
std::string bilateral_options(const BilateralRequest& request);

/// Input pixels needed on every side of an output rectangle: the radius, or slightly more where the
/// kernel pads its window with samples of zero weight.
int bilateral_halo(const BilateralRequest& request);

/// The passes that compute exactly `out` from `in`, with float pixels at both ends. `in` must hold
/// every pixel that the border rule of `edge` may need within bilateral_halo() of `out`.
PassPlan plan_bilateral(const BilateralRequest& request, const Plane& in, const Edge& edge,
                        const Plane& out);

}  // namespace sfumato
