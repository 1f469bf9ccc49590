// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a median is computed: its kernel launches, as data. pass_plan.hpp says how they are executed;
// the kernels are those of median.cl.
#pragma once

#include <cstddef>

#include "filters/shared/pass_plan.hpp"

namespace sfumato {

struct MedianRequest {
  int reach_x = 1, reach_y = 1;  ///< half-width and half-height of the window
  bool luminance = false;        ///< whole pixels by their luminance, instead of every channel
  int channels = 4;              ///< 4: straight colour and alpha; 1: gray
  bool has_alpha = true;         ///< pixels of alpha 0 are left out and stay as they are
  PixelStorage storage = PixelStorage::f32;
  PlanDevice device;
  std::size_t global_memory = 0;
};

/// Device memory beside input and output, in bytes per pixel of the input.
double median_scratch(const MedianRequest& request);
/// And in all.
std::size_t median_slots(const MedianRequest& request);

/// The passes that compute exactly `out` from `in`, which must hold every pixel that the border
/// rule of `edge` can ask for within the reach of `out`.
PassPlan plan_median(const MedianRequest& request, const Plane& in, const Edge& edge,
                     const Plane& out);

/// In words, for --verbose.
const char* median_way(const MedianRequest& request);

}  // namespace sfumato
