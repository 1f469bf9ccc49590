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
  const float16 x = LANES16(float16, v, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, c, c, c, c) * w.x +
                    LANES16(float16, v, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, d, d, d, d) * w.y +
                    LANES16(float16, v, 2, 2, 2, 2, 6, 6, 6, 6, a, a, a, a, e, e, e, e) * w.z;
  const float16 out = gradient_colors(x, ramps, count);
  const float16 alpha = select((float16)(1.0f), v,
                               (int16)(0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1));
  return out * alpha;
}
#endif

#include "shared/point_pass.clh"
