// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A gradient as ramps to be added up: eight numbers each, the change of red, green, blue and alpha,
// where it begins and ends, and 1 / its length (0 for a step).
#include "vectors.clh"

#define POINT_ARGUMENTS , global const float* ramps, int count, float4 weights
#define POINT(v) mapped(v, ramps, count, weights)

inline float16 part_of(float16 x, global const float* ramp) {
  const float16 risen = fmin(fmax((x - ramp[4]) * ramp[6], 0.0f), 1.0f);
  const float16 step = select((float16)(0.0f), (float16)(1.0f), x >= ramp[5]);
  return ramp[6] > 0.0f ? risen : step;
}

#if defined(CHANNELS) && CHANNELS == 1
inline float16 mapped(float16 v, global const float* ramps, int count, float4 weights) {
  float16 out = (float16)(0.0f);
  for (int i = 0; i < count; ++i) out += ramps[8 * i] * part_of(v, ramps + 8 * i);
  return out;
}
#else
inline float16 mapped(float16 v, global const float* ramps, int count, float4 w) {
  const float16 x = LANES16(float16, v, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, c, c, c, c) * w.x +
                    LANES16(float16, v, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, d, d, d, d) * w.y +
                    LANES16(float16, v, 2, 2, 2, 2, 6, 6, 6, 6, a, a, a, a, e, e, e, e) * w.z;
  float16 out = (float16)(0.0f);
  for (int i = 0; i < count; ++i) {
    const float4 c = vload4(0, ramps + 8 * i);
    out += join4(c, c, c, c) * part_of(x, ramps + 8 * i);
  }
  const float16 alpha = select((float16)(1.0f), v,
                               (int16)(0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1));
  return out * alpha;
}
#endif

#include "point.clh"
