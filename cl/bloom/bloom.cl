// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Brightness beyond a threshold, spread in glows and rays, and added back.
#include "shared/point_pass.clh"
#include "shared/gaussian/gaussian.clh"

#ifdef PASS_BRIGHT
#define MEASURE_LARGEST 0
#define MEASURE_LUMINANCE 1
#define MEASURE_EACH 2

// The part beyond the threshold, with a soft knee, of each brightness.
inline float16 beyond(float16 brightness, float threshold, float knee) {
  const float16 soft = fmin(fmax(brightness - threshold + knee, 0.0f), 2.0f * knee);
  const float16 part = knee > 0.0f ? soft * soft / (4.0f * knee) : (float16)(0.0f);
  return fmax(part, brightness - threshold);
}

kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void bright_pass(
    global const float* src, Plane in, global float* dst, Plane out, float threshold, float knee) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    float16 v = point_load(src, in, x, row);
#if CHANNELS == 4
#if MEASURE == MEASURE_LUMINANCE
    const float16 most = 0.2126f * REDS(float16, v) + 0.7152f * GREENS(float16, v) +
                         0.0722f * BLUES(float16, v);
#elif MEASURE == MEASURE_EACH
    const float16 most = v;
#else
    const float16 most = fmax(fmax(REDS(float16, v), GREENS(float16, v)), BLUES(float16, v));
#endif
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

#ifdef PASS_EXTEND
// The picture, continued by the border rule; nothing where that has no pixel.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void extend_bright(
    global const float* src, Plane in, Edge edge, global float* dst, Plane out) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  const int y = border_index(row.y, edge.y0, edge.y1, edge.rule);
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    if (y != NOWHERE && x >= edge.x0 && min(x + POINT_PIXELS, row.last) <= edge.x1) {
      const PointRow from = {y, row.first, row.last};
      point_store(dst, out, x, row, point_load(src, in, x, from));
      continue;
    }
    float lane[16];
    for (int i = 0; i < POINT_PIXELS; ++i) {
      const int from = border_index(min(x + i, row.last - 1), edge.x0, edge.x1, edge.rule);
      for (int c = 0; c < CHANNELS; ++c) {
        lane[i * CHANNELS + c] = from == NOWHERE || y == NOWHERE
                                     ? 0.0f
                                     : src[(size_t)plane_index(in, from, y) * CHANNELS + c];
      }
    }
    point_store(dst, out, x, row, vload16(0, lane));
  }
}
#endif

#ifdef PASS_RAY
// A pass of a ray: the sum of pixels at fixed offsets (x, y, weight) from each.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void ray_pass(
    global const float* src, Plane in, global float* dst, Plane out, global const float* taps,
    int count) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    float16 sum = (float16)(0.0f);
    for (int i = 0; i < count; ++i) {
      const int dx = (int)taps[3 * i], dy = (int)taps[3 * i + 1];
      const PointRow from = {row.y + dy, row.first + dx, row.last + dx};
      sum = fma((float16)(taps[3 * i + 2]), point_load(src, in, x + dx, from), sum);
    }
    point_store(dst, out, x, row, sum);
  }
}
#endif

#ifdef PASS_ADD
// dst = base + weight * glow; alpha stays that of base.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void add_glow(
    global const float* base, Plane from, global const float* glow, Plane spread, global float* dst,
    Plane out, float weight) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
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
