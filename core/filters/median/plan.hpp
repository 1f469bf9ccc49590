// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a median is computed: its kernel launches, as data. pass_plan.hpp says how passes are
// executed; the kernels are those of median.cl.
#pragma once

#include <cstddef>

#include "filters/shared/pass_plan.hpp"
#include "text/message.hpp"

namespace sfumato {

struct MedianRequest {
  int reach_x = 1, reach_y = 1;  ///< half-width and half-height of the window
  bool luminance = false;        ///< ranks whole pixels by luminance instead of each channel
  int channels = 4;              ///< 4: straight colour and alpha; 1: gray
  bool has_alpha = true;         ///< pixels of alpha 0 are left out and stay unchanged
  PixelStorage storage = PixelStorage::f32;
  PlanDevice device;
  std::size_t global_memory = 0;
};

/// Device memory besides input and output, in bytes per pixel of the input.
double median_scratch(const MedianRequest& request);
/// The same as a fixed amount.
std::size_t median_slots(const MedianRequest& request);

/// Device memory besides that, in bytes, for a picture of this size or any part of it.
std::size_t median_margin(const MedianRequest& request, int width, int height);

/// The passes that compute exactly `out` from `in`, which must hold every pixel that the border
/// rule of `edge` may need within the reach of `out`.
PassPlan plan_median(const MedianRequest& request, const Plane& in, const Edge& edge,
                     const Plane& out);

/// The method in words: "by a network" and the like.
Message median_method(const MedianRequest& request);

}  // namespace sfumato
