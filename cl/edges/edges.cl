// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Differences between neighbouring pixels. An item computes one pixel, or on CPU devices a span of
// a row, one float16 at a time. Sums use explicit fma only, so that directions are the same
// everywhere. Structure, by -D: CHANNELS 1 or 4; HAS_ALPHA; GRAYSCALE; FORM_CPU.
#include "shared/plane.clh"
#include "shared/vectors.clh"
#include "shared/exact_arithmetic.clh"

#define KIND_SQUARE 0  // a 3 x 3 operator: `side` for the outer rows, `middle` for the inner one
#define KIND_ROBERTS 1
#define KIND_LAPLACIAN 2
#define KIND_SURROUND 3

#define SHOW_MAGNITUDE 0
#define SHOW_HORIZONTAL 1
#define SHOW_VERTICAL 2
#define SHOW_DIRECTION 3

// The host's twin is EdgeNumbers in core/filters/edges/edges.cpp.
typedef struct {
  int kind, show;
  float side, middle, scale, offset;
} EdgeNumbers;

#ifdef FORM_CPU
#define SPAN 512
#define LOCAL 1
typedef float16 run_t;
#define RUN (16 / CHANNELS)
#define exact_turn exact_turn_float16
EXACT_FUNCTIONS(float16, int16)
#else
#define SPAN 1
#define LOCAL 64
#define RUN 1
#if CHANNELS == 4
typedef float4 run_t;
#define exact_turn exact_turn_float4
EXACT_FUNCTIONS(float4, int4)
#else
typedef float run_t;
#define exact_turn exact_turn_float
EXACT_FUNCTIONS(float, int)
#endif
#endif

#if CHANNELS == 4
typedef float4 pixel_t;
#define LOAD_PIXEL(p, i) load_rgba(p, i)
#else
typedef float pixel_t;
#define LOAD_PIXEL(p, i) (p)[i]
#endif

inline run_t all_of(float v) {
  return (run_t)(v);
}

#ifdef GRAYSCALE
// The sum of the colours in each of them, and alpha; the scale accounts for the factor of three.
inline run_t grayed(run_t v) {
#if CHANNELS == 1
  return v;
#elif defined(FORM_CPU)
  const run_t red = LANES16(run_t, v, 0, 0, 0, 3, 4, 4, 4, 7, 8, 8, 8, b, c, c, c, f);
  const run_t green = LANES16(run_t, v, 1, 1, 1, 3, 5, 5, 5, 7, 9, 9, 9, b, d, d, d, f);
  const run_t blue = LANES16(run_t, v, 2, 2, 2, 3, 6, 6, 6, 7, a, a, a, b, e, e, e, f);
  return ALPHA_LANES(int16) ? v : (red + green) + blue;
#else
  const float sum = (v.x + v.y) + v.z;
  return (float4)(sum, sum, sum, v.w);
#endif
}
#else
#define grayed(v) (v)
#endif

// The alpha of each pixel, in all its lanes.
inline run_t alpha_of(run_t v) {
#if CHANNELS == 1
  return all_of(1.0f);
#elif defined(FORM_CPU)
  return ALPHAS(run_t, v);
#else
  return (float4)(v.w);
#endif
}

// A row of the source as seen from one row of results, under the border rule.
typedef struct {
  int base;  // the buffer index of picture column 0
  bool exists;
} Row;

inline Row row_at(Plane in, Edge edge, int y) {
  Row row;
  const int my = border_index(y, edge.y0, edge.y1, edge.rule);
  row.exists = my != NOWHERE;
  row.base = row.exists ? plane_index(in, 0, my) : 0;
  return row;
}

// RUN pixels from column x on, and whether they exist, which fails only outside with a rule that
// drops them.
inline run_t load_run(global const float* src, Plane in, Edge edge, Row row, int x, int count,
                      run_t* exists) {
  *exists = all_of(1.0f);
#ifdef FORM_CPU
  run_t v;
  const int first = max(in.x, edge.x0), last = min(in.x + in.width, edge.x1);
  if (row.exists && x >= first && x + RUN <= last) {
    v = vload16(0, src + (size_t)(row.base + x) * CHANNELS);
  } else {
    float lane[16], is[16];
    for (int i = 0; i < RUN; ++i) {
      const int mx = border_index(x + min(i, count - 1), edge.x0, edge.x1, edge.rule);
      const bool found = row.exists && mx != NOWHERE;
      for (int c = 0; c < CHANNELS; ++c) {
        lane[i * CHANNELS + c] = found ? src[(size_t)(row.base + mx) * CHANNELS + c] : 0.0f;
        is[i * CHANNELS + c] = found ? 1.0f : 0.0f;
      }
    }
    v = vload16(0, lane);
    *exists = vload16(0, is);
  }
#else
  const int mx = border_index(x, edge.x0, edge.x1, edge.rule);
  run_t v = all_of(0.0f);
  if (row.exists && mx != NOWHERE) {
    v = LOAD_PIXEL(src, row.base + mx);
  } else {
    *exists = all_of(0.0f);
  }
#endif
#ifdef HAS_ALPHA
  *exists = alpha_of(v) > 0.0f ? *exists : all_of(0.0f);
#else
  if (edge.rule == BORDER_ZERO) *exists = all_of(1.0f);
#endif
  return grayed(v);
}

// A missing neighbour equals the centre; around a missing centre (`lives` 0) there are no
// differences.
inline run_t neighbour(global const float* src, Plane in, Edge edge, Row row, int x, int count,
                       run_t own, run_t lives) {
  run_t exists;
  const run_t v = load_run(src, in, edge, row, x, count, &exists);
  return exists * lives > 0.0f ? v : own;
}

// Stores the pixels that are left of the row, each with the alpha of `own`.
inline void store_run(global float* to, run_t v, run_t own, int count) {
#if CHANNELS == 1
#ifndef FORM_CPU
  *to = v;
#else
  if (count >= RUN) {
    vstore16(v, 0, to);
    return;
  }
  float lane[16];
  vstore16(v, 0, lane);
  for (int i = 0; i < count; ++i) to[i] = lane[i];
#endif
#elif defined(FORM_CPU)
  v = ALPHA_LANES(int16) ? own : v;
  if (count >= RUN) {
    vstore16(v, 0, to);
    return;
  }
  float lane[16];
  vstore16(v, 0, lane);
  for (int i = 0; i < count; ++i) vstore4(vload4(i, lane), i, to);
#else
  vstore4((float4)(v.x, v.y, v.z, own.w), 0, to);
#endif
}

#ifdef FORM_CPU
// The nine neighbours, row by row, of a run that lies inside the picture together with them; false
// if one of them is missing. `at` is the run's position in the middle row, `stride` is in floats.
ALWAYS_INLINE bool load_plain(global const float* at, ptrdiff_t stride, run_t* v) {
#pragma unroll
  for (int i = 0; i < 9; ++i) v[i] = vload16(0, at + (i / 3 - 1) * stride + (i % 3 - 1) * CHANNELS);
#ifdef HAS_ALPHA
  int16 there = v[0] > 0.0f;
#pragma unroll
  for (int i = 1; i < 9; ++i) there &= v[i] > 0.0f;
  if (!all(LANES4(int4, there, 3, 7, b, f))) return false;
#endif
#pragma unroll
  for (int i = 0; i < 9; ++i) v[i] = grayed(v[i]);
  return true;
}
#endif

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void edges(
    global const float* restrict src, Plane in, Edge edge, global float* restrict dst, Plane out,
    EdgeNumbers e) {
  const int y = out.y + (int)get_global_id(1);
  const int first = out.x + (int)get_global_id(0) * SPAN;
  const int last = min(first + SPAN, out.x + out.width);
  if (y >= out.y + out.height) return;
  const Row above = row_at(in, edge, y - 1), here = row_at(in, edge, y);
  const Row below = row_at(in, edge, y + 1);
  const int plain_first = max(in.x, edge.x0) + 1, plain_last = min(in.x + in.width, edge.x1) - 1;
  // Rows that are consecutive in the picture, without the border rule.
  const bool plain_rows = y > edge.y0 && y + 1 < edge.y1;
  for (int x = first; x < last; x += RUN) {
    const int count = last - x;
    run_t a[9];
    bool plain = false;
#ifdef FORM_CPU
    if (plain_rows && x >= plain_first && x + RUN <= plain_last) {
      plain = load_plain(src + (size_t)(here.base + x) * CHANNELS,
                         (ptrdiff_t)in.stride * CHANNELS, a);
    }
#endif
    if (!plain) {
      run_t lives;
      const run_t own = load_run(src, in, edge, here, x, count, &lives);
#define NEIGHBOUR(row, dx) neighbour(src, in, edge, row, x + dx, count, own, lives)
      a[0] = NEIGHBOUR(above, -1), a[1] = NEIGHBOUR(above, 0), a[2] = NEIGHBOUR(above, 1);
      a[3] = NEIGHBOUR(here, -1), a[4] = own, a[5] = NEIGHBOUR(here, 1);
      a[6] = NEIGHBOUR(below, -1), a[7] = NEIGHBOUR(below, 0), a[8] = NEIGHBOUR(below, 1);
#undef NEIGHBOUR
    }
    const run_t nw = a[0], n = a[1], ne = a[2], w = a[3], own = a[4], ea = a[5];
    const run_t sw = a[6], s = a[7], se = a[8];
    run_t v;
    if (e.kind == KIND_LAPLACIAN || e.kind == KIND_SURROUND) {
      run_t around = ((n - own) + (s - own)) + ((w - own) + (ea - own));
      if (e.kind == KIND_SURROUND) {
        around += ((nw - own) + (ne - own)) + ((sw - own) + (se - own));
      }
      v = fabs(around) * e.scale;
    } else {
      run_t gx, gy;  // to the right and down
      if (e.kind == KIND_ROBERTS) {
        // Differences along the diagonals, rotated to the axes.
        const run_t falling = se - own, rising = ea - s;
        gx = falling + rising;
        gy = falling - rising;
      } else {
        const run_t side = all_of(e.side), middle = all_of(e.middle);
        gx = fma(side, (ne - nw) + (se - sw), middle * (ea - w));
        gy = fma(side, (sw - nw) + (se - ne), middle * (s - n));
      }
      if (e.show == SHOW_MAGNITUDE) {
        v = sqrt(fma(gx, gx, gy * gy)) * e.scale;
      } else if (e.show == SHOW_DIRECTION) {
        v = exact_turn(gx, -gy);
      } else {
        v = fma(e.show == SHOW_HORIZONTAL ? gx : gy, all_of(e.scale), all_of(e.offset));
      }
    }
    store_run(dst + (size_t)plane_index(out, x, y) * CHANNELS, v, own, count);
  }
}
