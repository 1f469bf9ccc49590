// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Brightness beyond a threshold, spread and added back.
#include "shared/point_pass.clh"
#include "shared/gaussian/gaussian.clh"

#ifdef PASS_BRIGHT
// The part beyond the threshold, with a soft knee, of each pixel's brightest channel.
inline float16 beyond(float16 brightest, float threshold, float knee) {
  const float16 soft = fmin(fmax(brightest - threshold + knee, 0.0f), 2.0f * knee);
  const float16 part = knee > 0.0f ? soft * soft / (4.0f * knee) : (float16)(0.0f);
  return fmax(part, brightest - threshold);
}

kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void bright_pass(
    global const float* src, Plane in, global float* dst, Plane out, float threshold, float knee) {
  const PointRow row = point_row(out);
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    float16 v = point_load(src, in, x, row);
#if CHANNELS == 4
    const float16 most = fmax(fmax(REDS(float16, v), GREENS(float16, v)), BLUES(float16, v));
    const float16 alpha = ALPHAS(float16, v);
    const float16 straight = select((float16)(0.0f), most / alpha, alpha > 0.0f);
#else
    const float16 straight = v;
#endif
    v *= select((float16)(0.0f), beyond(straight, threshold, knee) / straight, straight > 0.0f);
    point_store(dst, out, x, row, v);
  }
}
#endif

#ifdef PASS_ADD
// dst = base + weight * glow; alpha stays that of base.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void add_glow(
    global const float* base, Plane from, global const float* glow, Plane spread, global float* dst,
    Plane out, float weight) {
  const PointRow row = point_row(out);
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    const float16 v = point_load(base, from, x, row);
    const float16 g = point_load(glow, spread, x, row);
    float16 sum = v + weight * g;
#if CHANNELS == 4
    sum = select(sum, v, ALPHA_LANES(int16));
    // Fully transparent pixels cannot show light.
    const float16 alpha = ALPHAS(float16, v);
    sum = select(v, sum, alpha > 0.0f);
#endif
    point_store(dst, out, x, row, sum);
  }
}
#endif
