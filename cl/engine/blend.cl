// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Blends a filter's result over the original, by a mask and an amount. Structure, by -D: CHANNELS 1
// or 4; MASK_N 0, 1 or 4; STRAIGHT if colour is not premultiplied.
#include "shared/plane.clh"

#if CHANNELS == 4
#define PIXEL float4
#else
#define PIXEL float
#endif

#ifdef FORM_CPU
#define LOCAL_X 1
#endif

kernel __attribute__((reqd_work_group_size(LOCAL_X, 1, 1))) void blend(
    global const PIXEL* original, Plane before, global PIXEL* result, Plane out,
    global const float* mask, Plane masked, float amount) {
  const int y = out.y + (int)get_global_id(1);
#ifdef FORM_CPU
  const int first = (int)get_global_id(0) * 512;
  const int last = min(first + 512, out.width);
#else
  const int first = (int)get_global_id(0);
  const int last = min(first + 1, out.width);
#endif
  if (y >= out.y + out.height) return;
  for (int i = first; i < last; ++i) {
    const int x = out.x + i;
    float w = amount;
#if MASK_N == 1
    w *= mask[plane_index(masked, x, y)];
#elif MASK_N == 4
    const float4 m = load_rgba(mask, plane_index(masked, x, y));
    w *= 0.2126f * m.x + 0.7152f * m.y + 0.0722f * m.z;
#endif
    const PIXEL a = original[plane_index(before, x, y)];
    const PIXEL b = result[plane_index(out, x, y)];
    PIXEL r;
#if CHANNELS == 4 && defined(STRAIGHT)
    // Colour is weighted by its alpha.
    const float alpha = a.w + (b.w - a.w) * w;
    const float wa = a.w * (1.0f - w), wb = b.w * w;
    r = alpha == 0.0f ? a + (b - a) * w : (a * wa + b * wb) / alpha;
    r.w = alpha;
#else
    r = a + (b - a) * w;
#endif
    // Exact at both ends for all values: a NaN that the mask hides stays hidden.
    r = w == 0.0f ? a : w == 1.0f ? b : r;
    result[plane_index(out, x, y)] = r;
  }
}
