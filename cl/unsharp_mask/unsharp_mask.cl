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
  const int y = out.y + (int)get_global_id(1);
  const int first = (int)get_global_id(0) * POINT_SPAN;
  const int last = min(first + POINT_SPAN, out.width);
  if (y >= out.y + out.height) return;
  for (int i = first; i < last; i += POINT_PIXELS) {
    const int x = out.x + i;
    const float16 v = point_load(src + (size_t)plane_index(in, x, y) * CHANNELS, last - i);
    const float16 b = point_load(blurred + (size_t)plane_index(blur, x, y) * CHANNELS, last - i);
#if CHANNELS == 4
    // Straight colours are compared; invisible pixels are left alone.
    const float16 alpha = LANES16(float16, v, 3, 3, 3, 3, 7, 7, 7, 7, b, b, b, b, f, f, f, f);
    const float16 other = LANES16(float16, b, 3, 3, 3, 3, 7, 7, 7, 7, b, b, b, b, f, f, f, f);
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
    const int16 is_alpha = (int16)(0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1);
    sharp = select(sharp, v, is_alpha);
#endif
    point_store(dst + (size_t)plane_index(out, x, y) * CHANNELS, sharp, last - i);
  }
}
#endif
