// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on processors: eight rows or columns at a time, one in each lane of a vector,
// so that factors are the same for all lanes and nothing is shuffled but rows on their way in and
// out. Self-sorting by Stockham (Van Loan, Computational Frameworks for the Fast Fourier Transform,
// 1992, 1.7), by radices up to 31. A factor with larger primes is transformed as a convolution,
// which a transform of a smooth length computes: of that factor less 1 for a prime (Rader, 1968),
// else of at least twice the factor (Bluestein, 1970).
#include "engine/fourier_radices.clh"

#define LANES 8
#define LARGEST_RADIX 31
#define AHEAD 16  // rows

typedef struct {
  int count;
  int radix[28];
} Radices;

typedef struct {
  int length;         // samples of a line
  int inverse;        // not 0: to samples
  int factor;         // of the length, transformed as a convolution; 1: none
  int padded;         // samples of the convolution; factor - 1: Rader's
  Radices radices;    // of length / factor
  Radices convolved;  // of `padded`
} FourierLines;

// One pass over `n` samples in `stride` interleaved transforms; w[j] is the j-th power of the whole
// length's root of unity, which has n * stride samples.
#define PASS(R)                                                                     \
  static void pass_##R(local const Lines* from, local Lines* to, int n, int stride, \
                       global const float2* w) {                                    \
    const int part = n / R;                                                         \
    for (int p = 0; p < part; ++p) {                                                \
      float2 factor[R];                                                             \
      for (int k = 1; k < R; ++k) factor[k] = w[p * k * stride];                    \
      for (int q = 0; q < stride; ++q) {                                            \
        Lines a[R];                                                                 \
        for (int k = 0; k < R; ++k) a[k] = from[q + stride * (p + part * k)];       \
        transform_##R(a);                                                           \
        local Lines* out = to + q + stride * R * p;                                 \
        out[0] = a[0];                                                              \
        for (int k = 1; k < R; ++k) out[stride * k] = times(a[k], factor[k]);       \
      }                                                                             \
    }                                                                               \
  }
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(6)
PASS(7)
PASS(8)
PASS(10)
PASS(11)
PASS(12)
PASS(13)
PASS(16)

// Two results and their opposites of an odd radix from the sums and differences of samples that lie
// opposite each other: frequencies `first` and `second`, of which the last may be the same.
static void odd_results(Lines start, const Lines* sum, const Lines* rest, int radix,
                        const float2* roots, int first, int second, Lines* results) {
  Lines even_a = start, odd_a = {0.0f, 0.0f}, even_b = start, odd_b = {0.0f, 0.0f};
  for (int j = 0, at_a = first, at_b = second; j < radix / 2; ++j) {
    const float2 a = roots[at_a], b = roots[at_b];
    even_a.re += a.x * sum[j].re;
    even_a.im += a.x * sum[j].im;
    odd_a.re -= a.y * rest[j].im;
    odd_a.im += a.y * rest[j].re;
    even_b.re += b.x * sum[j].re;
    even_b.im += b.x * sum[j].im;
    odd_b.re -= b.y * rest[j].im;
    odd_b.im += b.y * rest[j].re;
    at_a += first;
    at_a -= at_a >= radix ? radix : 0;
    at_b += second;
    at_b -= at_b >= radix ? radix : 0;
  }
  results[first] = plus(even_a, odd_a);
  results[radix - first] = minus(even_a, odd_a);
  results[second] = plus(even_b, odd_b);
  results[radix - second] = minus(even_b, odd_b);
}

// The same for any odd radix.
static void pass_odd(local const Lines* from, local Lines* to, int n, int stride, int radix,
                     global const float2* w) {
  const int part = n / radix, pairs = radix / 2;
  float2 roots[LARGEST_RADIX], factors[LARGEST_RADIX];
  for (int k = 0; k < radix; ++k) roots[k] = w[part * stride * k];
  for (int p = 0; p < part; ++p) {
    for (int k = 0; k < radix; ++k) factors[k] = w[p * k * stride];
    for (int q = 0; q < stride; ++q) {
      local const Lines* in = from + q + stride * p;
      Lines sum[LARGEST_RADIX / 2], rest[LARGEST_RADIX / 2], results[LARGEST_RADIX];
      results[0] = in[0];
      for (int j = 0; j < pairs; ++j) {
        const Lines a = in[stride * part * (j + 1)], b = in[stride * part * (radix - 1 - j)];
        sum[j] = plus(a, b);
        rest[j] = minus(a, b);
        results[0] = plus(results[0], sum[j]);
      }
      for (int k = 1; k <= pairs; k += 2) {
        odd_results(in[0], sum, rest, radix, roots, k, min(k + 1, pairs), results);
      }
      local Lines* out = to + q + stride * radix * p;
      for (int k = 0; k < radix; ++k) out[stride * k] = times(results[k], factors[k]);
    }
  }
}

// Transforms `n` samples of all lanes, `stride` interleaved transforms, in `a` or `b`, and returns
// where the result is.
static local Lines* passes(local Lines* a, local Lines* b, int n, int stride,
                           const Radices* radices, global const float2* w) {
  for (int i = 0; i < radices->count; ++i) {
    const int radix = radices->radix[i];
    switch (radix) {
#define CASE(R)                   \
  case R:                         \
    pass_##R(a, b, n, stride, w); \
    break;
      CASE(2)
      CASE(3)
      CASE(4)
      CASE(5)
      CASE(6)
      CASE(7)
      CASE(8)
      CASE(10)
      CASE(11)
      CASE(12)
      CASE(13)
      CASE(16)
      default:
        pass_odd(a, b, n, stride, radix, w);
        break;
    }
    local Lines* before = a;
    a = b;
    b = before;
    n /= radix;
    stride *= radix;
  }
  return a;
}

// The factor's pass, with stride 1, from `a` to `b` (or back to `a`), and where the result is. What
// is convolved lies in `work`, or in both if the factor is the whole length.
//
// Rader: the powers of a primitive root, `order`, make a cyclic convolution of all samples but the
// first. Bluestein: with jk = (j^2 + k^2 - (k - j)^2) / 2, a transform is a convolution with a
// chirp, which `chirp` begins with. At the end of `chirp` is the transform of what is convolved
// with, divided by `padded`; at the end of `w` are the factors of `padded` samples.
static local Lines* pass_convolved(local Lines* a, local Lines* b, local Lines* work,
                                   const FourierLines* plan, global const float2* w,
                                   global const float2* chirp, global const int* order) {
  const int factor = plan->factor, padded = plan->padded, part = plan->length / factor;
  const bool prime = padded == factor - 1;
  global const float2* with = prime ? chirp : chirp + factor;
  global const float2* roots = w + plan->length;
  local Lines *x = part == 1 ? b : work, *y = part == 1 ? a : work + padded;
  local Lines* to = b;
  for (int p = 0; p < part; ++p) {
    const Lines first = a[p];
    if (prime) {
      for (int i = 0; i < padded; ++i) x[i] = a[p + part * order[i]];
    } else {
      for (int i = 0; i < factor; ++i) x[i] = times(a[p + part * i], chirp[i]);
      for (int i = factor; i < padded; ++i) x[i] = (Lines){0.0f, 0.0f};
    }
    local Lines* there = passes(x, y, padded, 1, &plan->convolved, roots);
    const Lines sum = there[0];
    // An inverse transform is a forward one with both parts exchanged.
    for (int i = 0; i < padded; ++i) {
      Lines product = times(there[i], with[i]);
      if (prime && i == 0) product = plus(product, first);
      there[i] = (Lines){product.im, product.re};
    }
    local const Lines* back = passes(there, there == x ? y : x, padded, 1, &plan->convolved, roots);
    if (part == 1) to = back == a ? b : a;
    local Lines* out = to + factor * p;
    if (prime) {
      out[0] = plus(first, sum);
      for (int i = 0; i < padded; ++i) {
        const int k = order[i == 0 ? 0 : padded - i];
        out[k] = times((Lines){back[i].im, back[i].re}, w[p * k]);
      }
    } else {
      for (int k = 0; k < factor; ++k) {
        out[k] = times(times((Lines){back[k].im, back[k].re}, chirp[k]), w[p * k]);
      }
    }
  }
  return to;
}

static local Lines* transformed(local Lines* scratch, const FourierLines* plan,
                                global const float2* w, global const float2* chirp,
                                global const int* order) {
  const int part = plan->length / plan->factor;
  const int longest = part == 1 ? max(plan->length, plan->padded) : plan->length;
  local Lines *a = scratch, *b = scratch + longest;
  if (plan->factor > 1) {
    local Lines* done = pass_convolved(a, b, b + longest, plan, w, chirp, order);
    b = done == a ? b : a;
    a = done;
  }
  return passes(a, b, part, plan->factor, &plan->radices, w);
}

// The lanes of eight rows of four complex samples: re and im of each sample in turn, and back.
inline void transpose(float8* r) {
  float8 a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = (float8)(r[i].s0, r[i + 1].s0, r[i].s1, r[i + 1].s1, r[i].s4, r[i + 1].s4, r[i].s5,
                    r[i + 1].s5);
    a[i + 1] = (float8)(r[i].s2, r[i + 1].s2, r[i].s3, r[i + 1].s3, r[i].s6, r[i + 1].s6, r[i].s7,
                        r[i + 1].s7);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int k = 0; k < 2; ++k) {
      b[i + 2 * k] = (float8)(a[i + k].s01, a[i + k + 2].s01, a[i + k].s45, a[i + k + 2].s45);
      b[i + 2 * k + 1] = (float8)(a[i + k].s23, a[i + k + 2].s23, a[i + k].s67, a[i + k + 2].s67);
    }
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = (float8)(b[i].lo, b[i + 4].lo);
    r[i + 4] = (float8)(b[i].hi, b[i + 4].hi);
  }
}

// The sample of the direction: an inverse transform is a forward one with both parts exchanged.
inline Lines directed(float8 re, float8 im, int inverse) {
  return inverse ? (Lines){im, re} : (Lines){re, im};
}

// Eight rows from number 8 * id 0 of picture id 1. `scratch` holds what fourier_local_bytes() says.
kernel void fourier_rows(global float2* pictures, int width, int height, int first,
                         FourierLines plan, global const float2* w, global const float2* chirp,
                         global const int* order, local Lines* scratch) {
  const int y = (first + (int)get_global_id(0)) * LANES;
  const int rows = min(LANES, height - y);
  global float* at = (global float*)(pictures + ((size_t)get_global_id(1) * height + y) * width);
  const size_t pitch = (size_t)width * 2;
  for (int x = 0; x < width; x += 4) {
    const int samples = min(4, width - x);
    float8 r[LANES];
    for (int lane = 0; lane < LANES; ++lane) {
      r[lane] = 0.0f;
      if (lane >= rows) continue;
      global const float* row = at + lane * pitch + 2 * x;
      if (samples == 4) {
        r[lane] = vload8(0, row);
      } else {
        float part[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int i = 0; i < 2 * samples; ++i) part[i] = row[i];
        r[lane] = vload8(0, part);
      }
    }
    transpose(r);
    for (int i = 0; i < samples; ++i) {
      scratch[x + i] = directed(r[2 * i], r[2 * i + 1], plan.inverse);
    }
  }
  local const Lines* done = transformed(scratch, &plan, w, chirp, order);
  for (int x = 0; x < width; x += 4) {
    const int samples = min(4, width - x);
    float8 r[LANES];
    for (int i = 0; i < 4; ++i) {
      const Lines sample = i < samples ? done[x + i] : (Lines){0.0f, 0.0f};
      const Lines shown = directed(sample.re, sample.im, plan.inverse);
      r[2 * i] = shown.re;
      r[2 * i + 1] = shown.im;
    }
    transpose(r);
    for (int lane = 0; lane < rows; ++lane) {
      global float* row = at + lane * pitch + 2 * x;
      if (samples == 4) {
        vstore8(r[lane], 0, row);
      } else {
        float part[8];
        vstore8(r[lane], 0, part);
        for (int i = 0; i < 2 * samples; ++i) row[i] = part[i];
      }
    }
  }
}

// Eight columns from number 8 * id 0 of picture id 1.
kernel void fourier_columns(global float2* pictures, int width, int height, int first,
                            FourierLines plan, global const float2* w, global const float2* chirp,
                            global const int* order, local Lines* scratch) {
  const int x = (first + (int)get_global_id(0)) * LANES;
  const int columns = min(LANES, width - x);
  global float* at = (global float*)(pictures + (size_t)get_global_id(1) * height * width + x);
  const size_t pitch = (size_t)width * 2;
  float part[2 * LANES];
  for (int i = 0; i < 2 * LANES; ++i) part[i] = 0.0f;
  for (int y = 0; y < height; ++y) {
    // Processors do not look ahead beyond a page of memory.
    __builtin_prefetch(at + min(y + AHEAD, height - 1) * pitch);
    float16 row;
    if (columns == LANES) {
      row = vload16(0, at + y * pitch);
    } else {
      for (int i = 0; i < 2 * columns; ++i) part[i] = at[y * pitch + i];
      row = vload16(0, part);
    }
    scratch[y] = directed(row.even, row.odd, plan.inverse);
  }
  local const Lines* done = transformed(scratch, &plan, w, chirp, order);
  for (int y = 0; y < height; ++y) {
    const Lines shown = directed(done[y].re, done[y].im, plan.inverse);
    float16 row;
    row.even = shown.re;
    row.odd = shown.im;
    if (columns == LANES) {
      vstore16(row, 0, at + y * pitch);
    } else {
      vstore16(row, 0, part);
      for (int i = 0; i < 2 * columns; ++i) at[y * pitch + i] = part[i];
    }
  }
}
