// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Brightness looked up in a gradient, or with RAMP in a picture's middle row.
#include "shared/color_gradient.clh"

#ifdef RAMP
#define POINT_ARGUMENTS , global const float* ramp, Plane place, float4 weights
#define POINT(v) mapped_by_row(v, ramp, place, weights)
#else
#define POINT_ARGUMENTS , global const float* ramps, int count, float4 weights
#define POINT(v) mapped(v, ramps, count, weights)
#endif

#if defined(CHANNELS) && CHANNELS == 1
inline float16 mapped_by_row(float16 v, global const float* ramp, Plane place, float4 weights) {
  return row_grays(v, ramp, place, weights);
}

inline float16 mapped(float16 v, global const float* ramps, int count, float4 weights) {
  float16 out = (float16)(ramps[0]);
  for (int i = 1; i < count; ++i) out += ramps[8 * i] * ramp_part(v, ramps + 8 * i);
  return out;
}
#else
inline float16 brightness(float16 v, float4 w) {
  return REDS(float16, v) * w.x + GREENS(float16, v) * w.y + BLUES(float16, v) * w.z;
}

inline float16 seen_through(float16 color, float16 v) {
  return color * select((float16)(1.0f), v, ALPHA_LANES(int16));
}

inline float16 mapped(float16 v, global const float* ramps, int count, float4 w) {
  return seen_through(gradient_colors(brightness(v, w), ramps, count), v);
}

inline float16 mapped_by_row(float16 v, global const float* ramp, Plane place, float4 w) {
  return seen_through(row_colors(brightness(v, w), ramp, place), v);
}
#endif

#include "shared/point_pass.clh"
