// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Unsharp mask: adds back the detail that a Gaussian removed, times `amount`.
#include "shared/point_pass.clh"
#include "shared/gaussian/gaussian.clh"

#ifdef PASS_SHARPEN
// The picture in `src` and its blur in `blurred`, four RGBA or sixteen gray pixels at once.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void sharpened(
    global const float* src, Plane in, global const float* blurred, Plane blur, global float* dst,
    Plane out, float amount, float threshold) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    const float16 v = point_load(src, in, x, row);
    const float16 b = point_load(blurred, blur, x, row);
#if CHANNELS == 4
    // Straight colours are compared; invisible pixels are left alone.
    const float16 alpha = ALPHAS(float16, v);
    const float16 other = ALPHAS(float16, b);
    float16 d = select(v / alpha - b / other, (float16)(0.0f), alpha <= 0.0f || other <= 0.0f);
#else
    const float16 alpha = (float16)(1.0f);
    float16 d = v - b;
#endif
    // Differences shrink towards 0 by the threshold; NaNs are preserved.
    const float16 over = fabs(d) - threshold;
    d = copysign(select(over, (float16)(0.0f), over < 0.0f), d);
    float16 sharp = v + amount * alpha * d;
#if CHANNELS == 4
    sharp = select(sharp, v, ALPHA_LANES(int16));
#endif
    point_store(dst, out, x, row, sharp);
  }
}
#endif
