// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Noise of the kind GAUSSIAN, UNIFORM, POISSON, SALT_AND_PEPPER or GRAIN, a function of seed, pixel
// and channel. ALIKE: all colours get that of the first channel. `inverses` holds 1 / k, for
// POISSON.
#include "noise/random.clh"
#include "shared/point_pass.clh"

#if CHANNELS == 4
#define COLORS 3
#else
#define COLORS 1
#endif
#if defined(ALIKE) || COLORS == 1
#define PATTERNS 1
#else
#define PATTERNS COLORS
#endif

// The host's twin is in noise.cpp.
typedef struct {
  float amount, photons, per_photon;
  uint share, step, seed;
} Noise;

// Pixels from x on, a plane for each channel.
#ifdef FORM_CPU
#if CHANNELS == 4
#define PLANE_OF(p, a, b, c, d)                                                   \
  join4(LANES4(float4, p[0], a, b, c, d), LANES4(float4, p[1], a, b, c, d),       \
        LANES4(float4, p[2], a, b, c, d), LANES4(float4, p[3], a, b, c, d))
#define PIXEL_OF(v, i) ((float4)(v[0].s##i, v[1].s##i, v[2].s##i, v[3].s##i))
#define PIXELS_OF(v, a, b, c, d) \
  join4(PIXEL_OF(v, a), PIXEL_OF(v, b), PIXEL_OF(v, c), PIXEL_OF(v, d))

ALWAYS_INLINE void load_planes(global const float* src, Plane in, int x, PointRow row, reals* v) {
  float16 p[4];
  for (int i = 0; i < 4; ++i) {
    const int at = x + 4 * i;
    p[i] = at < row.last ? point_load(src, in, at, row) : (float16)(0.0f);
  }
  v[0] = PLANE_OF(p, 0, 4, 8, c);
  v[1] = PLANE_OF(p, 1, 5, 9, d);
  v[2] = PLANE_OF(p, 2, 6, a, e);
  v[3] = PLANE_OF(p, 3, 7, b, f);
}

ALWAYS_INLINE void store_planes(global float* dst, Plane out, int x, PointRow row,
                                const reals* v) {
  const float16 p[4] = {PIXELS_OF(v, 0, 1, 2, 3), PIXELS_OF(v, 4, 5, 6, 7),
                        PIXELS_OF(v, 8, 9, a, b), PIXELS_OF(v, c, d, e, f)};
  for (int i = 0; i < 4 && x + 4 * i < row.last; ++i) point_store(dst, out, x + 4 * i, row, p[i]);
}
#else
ALWAYS_INLINE void load_planes(global const float* src, Plane in, int x, PointRow row, reals* v) {
  v[0] = point_load(src, in, x, row);
}

ALWAYS_INLINE void store_planes(global float* dst, Plane out, int x, PointRow row,
                                const reals* v) {
  point_store(dst, out, x, row, v[0]);
}
#endif
#else
ALWAYS_INLINE void load_planes(global const float* src, Plane in, int x, PointRow row, reals* v) {
  global const float* from = src + (size_t)plane_index(in, x, row.y) * CHANNELS;
  for (int c = 0; c < CHANNELS; ++c) v[c] = from[c];
}

ALWAYS_INLINE void store_planes(global float* dst, Plane out, int x, PointRow row,
                                const reals* v) {
  global float* to = dst + (size_t)plane_index(out, x, row.y) * CHANNELS;
  for (int c = 0; c < CHANNELS; ++c) to[c] = v[c];
}
#endif

#ifndef GRAIN
ALWAYS_INLINE reals noisy(reals v, words word, Noise noise, global const float* inverses) {
#if defined(GAUSSIAN)
  return fma((reals)(noise.amount), normal_of(odd_of(word)), v);
#elif defined(UNIFORM)
  return fma((reals)(noise.amount), odd_of(word) * 0x1p-24f, v);
#elif defined(SALT_AND_PEPPER)
  const reals speck = to_reals(word & 1);
  return (word >> 8) < noise.share ? speck : v;
#else
  const reals mean = v * noise.photons;
  reals count = (reals)(0.0f);
  if (ANY(mean < FEW)) count = few_counted(fmin(fmax(mean, 0.0f), FEW), word, inverses);
  if (ANY(mean >= FEW)) {
    const reals many = many_counted(fmax(mean, FEW), normal_of(odd_of(word)));
    count = mean < FEW ? count : many;
  }
  // Correctly rounded, so that as many photons as white has are 1 (Markstein, 1990).
  const reals quotient = count * noise.per_photon;
  const reals residual = fma(-quotient, (reals)(noise.photons), count);
  const reals value = fma(residual, (reals)(noise.per_photon), quotient);
  return v > 1e-30f && mean < 0x1p48f ? value : v;
#endif
}

kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void add_noise(
    global const float* restrict src, Plane in, global float* restrict dst, Plane out, Noise noise,
    global const float* restrict inverses) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  for (int x = row.first; x < row.last; x += AT_ONCE) {
    reals v[CHANNELS];
    load_planes(src, in, x, row, v);
    words word = (words)(0u);
#ifndef FORM_CPU  // many instructions for 16 pixels
#pragma unroll
#endif
    for (int c = 0; c < COLORS; ++c) {
      if (c < PATTERNS) word = word_at((uint)x + NEIGHBOURS, (uint)row.y, c, noise.seed);
      v[c] = noisy(v[c], word, noise, inverses);
    }
    store_planes(dst, out, x, row, v);
  }
}
#else
#define CELL_BITS 20
#define FRACTION(position) (to_reals((position) & 0xFFFFF) * 0x1p-20f)
#define GRAIN_SPAN 128          // pixels of which the CPU form keeps the lattice's columns
#define GRAIN_COLUMNS (512 + 32)  // at most 3.98 cells in each pixel, four more, and whole vectors

// Adds the grain of each pattern, stronger where the pixel is middle gray.
ALWAYS_INLINE void add_grain(reals* v, const reals* grain, Noise noise) {
#if COLORS == 3 && PATTERNS == 1
  const reals luminance =
      fma((reals)(0.0722f), v[2], fma((reals)(0.7152f), v[1], v[0] * 0.2126f));
#endif
#pragma unroll
  for (int c = 0; c < COLORS; ++c) {
#if COLORS == 3 && PATTERNS == 1
    const reals level = fmin(fmax(luminance, 0.0f), 1.0f);
#else
    const reals level = fmin(fmax(v[c], 0.0f), 1.0f);
#endif
    const reals strength = noise.amount * (4.0f * (level * (1.0f - level)));
    v[c] = fma(strength, grain[c < PATTERNS ? c : 0], v[c]);
  }
}

#ifdef FORM_CPU
// The columns of the lattice from `cell` on.
typedef struct {
  float of[PATTERNS][GRAIN_COLUMNS];
} Columns;

ALWAYS_INLINE void fill_columns(Columns* columns, ulong start, int count, ulong position_y,
                                Noise noise) {
  const uint cell = (uint)(start >> CELL_BITS), cell_y = (uint)(position_y >> CELL_BITS);
  reals weights[4];
  spline_weights((reals)((float)((uint)position_y & 0xFFFFF) * 0x1p-20f), weights);
  for (int c = 0; c < PATTERNS; ++c) {
    for (int i = 0; i < count; i += 16) {
      const words x = cell + (uint)i + NEIGHBOURS;
      vstore16(lattice_column(x, cell_y, c, noise.seed, weights), 0, columns->of[c] + i);
    }
  }
}

ALWAYS_INLINE reals grain_of(const float* columns, words cells, const reals* weights) {
  uint cell[16];
  vstore16(cells, 0, cell);
  float column[4][16];
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 4; ++j) column[j][i] = columns[cell[i] + j];
  }
  reals sum = (reals)(0.0f);
#pragma unroll
  for (int j = 0; j < 4; ++j) sum = fma(weights[j], vload16(0, column[j]), sum);
  return sum;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void add_noise(
    global const float* restrict src, Plane in, global float* restrict dst, Plane out, Noise noise,
    global const float* restrict inverses) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  const ulong position_y = (ulong)row.y * noise.step;
  Columns columns;
  for (int first = row.first; first < row.last; first += GRAIN_SPAN) {
    const ulong start = (ulong)first * noise.step;
    const uint within = (uint)start & 0xFFFFF;
    const int width = min(GRAIN_SPAN, row.last - first);
    const uint last = (uint)((width - 1) | 15);  // of a vector that may reach beyond the row
    const int count = (int)((within + last * noise.step) >> CELL_BITS) + 4;
    fill_columns(&columns, start, count, position_y, noise);
    for (int i = 0; i < width; i += 16) {
      const words position = within + ((uint)i + NEIGHBOURS) * noise.step;
      reals v[CHANNELS], grain[PATTERNS], weights[4];
      spline_weights(FRACTION(position), weights);
      load_planes(src, in, first + i, row, v);
      for (int c = 0; c < PATTERNS; ++c) {
        grain[c] = grain_of(columns.of[c], position >> CELL_BITS, weights);
      }
      add_grain(v, grain, noise);
      store_planes(dst, out, first + i, row, v);
    }
  }
}
#else
ALWAYS_INLINE float grain_at(ulong position_x, ulong position_y, int channel, uint seed) {
  const uint x = (uint)(position_x >> CELL_BITS), y = (uint)(position_y >> CELL_BITS);
  float along[4], down[4];
  spline_weights(FRACTION((uint)position_x), along);
  spline_weights(FRACTION((uint)position_y), down);
  float sum = 0.0f;
  for (uint i = 0; i < 4; ++i) {
    sum = fma(along[i], lattice_column(x + i, y, channel, seed, down), sum);
  }
  return sum;
}

kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void add_noise(
    global const float* restrict src, Plane in, global float* restrict dst, Plane out, Noise noise,
    global const float* restrict inverses) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  if (row.first >= row.last) return;
  float v[CHANNELS], grain[PATTERNS];
  load_planes(src, in, row.first, row, v);
  for (int c = 0; c < PATTERNS; ++c) {
    grain[c] = grain_at((ulong)row.first * noise.step, (ulong)row.y * noise.step, c, noise.seed);
  }
  add_grain(v, grain, noise);
  store_planes(dst, out, row.first, row, v);
}
#endif
#endif
