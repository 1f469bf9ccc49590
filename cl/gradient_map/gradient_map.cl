// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Brightness looked up in a gradient.
#include "shared/color_gradient.clh"

#define POINT_ARGUMENTS , global const float* ramps, int count, float4 weights
#define POINT(v) mapped(v, ramps, count, weights)

#if defined(CHANNELS) && CHANNELS == 1
inline float16 mapped(float16 v, global const float* ramps, int count, float4 weights) {
  float16 out = (float16)(ramps[0]);
  for (int i = 1; i < count; ++i) out += ramps[8 * i] * ramp_part(v, ramps + 8 * i);
  return out;
}
#else
inline float16 mapped(float16 v, global const float* ramps, int count, float4 w) {
  const float16 x = REDS(float16, v) * w.x + GREENS(float16, v) * w.y + BLUES(float16, v) * w.z;
  const float16 out = gradient_colors(x, ramps, count);
  const float16 alpha = select((float16)(1.0f), v, ALPHA_LANES(int16));
  return out * alpha;
}
#endif

#include "shared/point_pass.clh"
