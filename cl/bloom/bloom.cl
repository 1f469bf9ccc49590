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
  const int y = out.y + (int)get_global_id(1);
  const int first = (int)get_global_id(0) * POINT_SPAN;
  const int last = min(first + POINT_SPAN, out.width);
  if (y >= out.y + out.height) return;
  for (int i = first; i < last; i += POINT_PIXELS) {
    float16 v = point_load(src + (size_t)plane_index(in, out.x + i, y) * CHANNELS, last - i);
#if CHANNELS == 4
    const float16 most =
        fmax(fmax(LANES16(float16, v, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, c, c, c, c),
                  LANES16(float16, v, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, d, d, d, d)),
             LANES16(float16, v, 2, 2, 2, 2, 6, 6, 6, 6, a, a, a, a, e, e, e, e));
    const float16 alpha = LANES16(float16, v, 3, 3, 3, 3, 7, 7, 7, 7, b, b, b, b, f, f, f, f);
    const float16 straight = select((float16)(0.0f), most / alpha, alpha > 0.0f);
#else
    const float16 straight = v;
#endif
    v *= select((float16)(0.0f), beyond(straight, threshold, knee) / straight, straight > 0.0f);
    point_store(dst + (size_t)plane_index(out, out.x + i, y) * CHANNELS, v, last - i);
  }
}
#endif

#ifdef PASS_ADD
// dst = base + weight * glow; alpha stays that of base.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void add_glow(
    global const float* base, Plane from, global const float* glow, Plane spread, global float* dst,
    Plane out, float weight) {
  const int y = out.y + (int)get_global_id(1);
  const int first = (int)get_global_id(0) * POINT_SPAN;
  const int last = min(first + POINT_SPAN, out.width);
  if (y >= out.y + out.height) return;
  for (int i = first; i < last; i += POINT_PIXELS) {
    const int x = out.x + i;
    const float16 v = point_load(base + (size_t)plane_index(from, x, y) * CHANNELS, last - i);
    const float16 g = point_load(glow + (size_t)plane_index(spread, x, y) * CHANNELS, last - i);
    float16 sum = v + weight * g;
#if CHANNELS == 4
    const int16 is_alpha = (int16)(0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1);
    sum = select(sum, v, is_alpha);
    // Fully transparent pixels cannot show light.
    const float16 alpha = LANES16(float16, v, 3, 3, 3, 3, 7, 7, 7, 7, b, b, b, b, f, f, f, f);
    sum = select(v, sum, alpha > 0.0f);
#endif
    point_store(dst + (size_t)plane_index(out, x, y) * CHANNELS, sum, last - i);
  }
}
#endif
