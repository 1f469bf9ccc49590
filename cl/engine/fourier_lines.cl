// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on processors: eight rows or columns at a time, one in each lane of a vector,
// so that factors are the same for all lanes and nothing is shuffled but rows on their way in and
// out. Self-sorting by Stockham (Van Loan, Computational Frameworks for the Fast Fourier Transform,
// 1992, 1.7), radices 2 to 13; other lengths as a convolution (Bluestein, 1970).
#define LANES 8

typedef struct {
  int length;     // samples of a line
  int padded;     // of the convolution; 0: the length is a product of radices
  int count;      // of radices
  int inverse;    // not 0: to samples
  int radix[28];  // of `length`, or of `padded`
} FourierLines;

// Eight lines at one place.
typedef struct {
  float8 re, im;
} Lines;

inline Lines plus(Lines a, Lines b) {
  return (Lines){a.re + b.re, a.im + b.im};
}
inline Lines minus(Lines a, Lines b) {
  return (Lines){a.re - b.re, a.im - b.im};
}
inline Lines times(Lines a, float2 w) {
  return (Lines){a.re * w.x - a.im * w.y, a.re * w.y + a.im * w.x};
}
// By -i, a quarter turn.
inline Lines turned(Lines a) {
  return (Lines){a.im, -a.re};
}

inline void transform_2(Lines* a) {
  const Lines sum = plus(a[0], a[1]);
  a[1] = minus(a[0], a[1]);
  a[0] = sum;
}

inline void transform_4(Lines* a) {
  const Lines even = plus(a[0], a[2]), odd = plus(a[1], a[3]);
  const Lines even_rest = minus(a[0], a[2]), odd_rest = turned(minus(a[1], a[3]));
  a[0] = plus(even, odd);
  a[1] = plus(even_rest, odd_rest);
  a[2] = minus(even, odd);
  a[3] = minus(even_rest, odd_rest);
}

inline void transform_8(Lines* a) {
  const float diagonal = 0.70710678118654752f;
  Lines even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
  transform_4(even);
  transform_4(odd);
  odd[1] = times(odd[1], (float2)(diagonal, -diagonal));
  odd[2] = turned(odd[2]);
  odd[3] = times(odd[3], (float2)(-diagonal, -diagonal));
  for (int k = 0; k < 4; ++k) {
    a[k] = plus(even[k], odd[k]);
    a[k + 4] = minus(even[k], odd[k]);
  }
}

constant float cos_3[3] = {1.0f, -0.5f, -0.5f};
constant float sin_3[3] = {0.0f, 0.86602540378443865f, -0.86602540378443865f};
constant float cos_5[5] = {1.0f, 0.30901699437494742f, -0.80901699437494742f, -0.80901699437494742f,
                           0.30901699437494742f};
constant float sin_5[5] = {0.0f, 0.95105651629515357f, 0.58778525229247313f, -0.58778525229247313f,
                           -0.95105651629515357f};
constant float cos_7[7] = {1.0f,
                           0.62348980185873359f,
                           -0.22252093395631434f,
                           -0.90096886790241903f,
                           -0.90096886790241915f,
                           -0.22252093395631459f,
                           0.62348980185873337f};
constant float sin_7[7] = {0.0f,
                           0.7818314824680298f,
                           0.97492791218182362f,
                           0.43388373911755823f,
                           -0.43388373911755801f,
                           -0.97492791218182362f,
                           -0.78183148246802991f};
constant float cos_11[11] = {1.0f,
                             0.84125353283118121f,
                             0.41541501300188644f,
                             -0.142314838273285f,
                             -0.65486073394528499f,
                             -0.95949297361449737f,
                             -0.95949297361449748f,
                             -0.65486073394528521f,
                             -0.14231483827328523f,
                             0.41541501300188605f,
                             0.84125353283118121f};
constant float sin_11[11] = {0.0f,
                             0.54064081745559756f,
                             0.90963199535451833f,
                             0.9898214418809328f,
                             0.75574957435425827f,
                             0.28173255684142967f,
                             -0.28173255684142939f,
                             -0.75574957435425816f,
                             -0.98982144188093268f,
                             -0.90963199535451855f,
                             -0.54064081745559744f};
constant float cos_13[13] = {1.0f,
                             0.88545602565320991f,
                             0.56806474673115592f,
                             0.12053668025532301f,
                             -0.35460488704253545f,
                             -0.74851074817110119f,
                             -0.97094181742605201f,
                             -0.97094181742605212f,
                             -0.7485107481711013f,
                             -0.3546048870425359f,
                             0.1205366802553232f,
                             0.56806474673115481f,
                             0.88545602565321002f};
constant float sin_13[13] = {0.0f,
                             0.46472317204376851f,
                             0.82298386589365635f,
                             0.99270887409805397f,
                             0.93501624268541483f,
                             0.66312265824079519f,
                             0.23931566428755768f,
                             -0.23931566428755743f,
                             -0.66312265824079497f,
                             -0.93501624268541472f,
                             -0.99270887409805397f,
                             -0.82298386589365702f,
                             -0.4647231720437684f};
// An odd radix: the sums and differences of samples that lie opposite each other share products.
#define TRANSFORM_ODD(R)                                                        \
  inline void transform_##R(Lines* a) {                                  \
    Lines sum[R / 2], rest[R / 2];                                              \
    Lines all = a[0];                                                           \
    for (int j = 0; j < R / 2; ++j) {                                           \
      sum[j] = plus(a[j + 1], a[R - 1 - j]);                                    \
      rest[j] = minus(a[j + 1], a[R - 1 - j]);                                  \
      all = plus(all, sum[j]);                                                  \
    }                                                                           \
    const Lines first = a[0];                                                   \
    a[0] = all;                                                                 \
    _Pragma("unroll") for (int k = 1; k <= R / 2; ++k) {                        \
      Lines even = first, odd = {0.0f, 0.0f};                                   \
      _Pragma("unroll") for (int j = 0; j < R / 2; ++j) {                       \
        const float c = cos_##R[k * (j + 1) % R], s = sin_##R[k * (j + 1) % R]; \
        even.re += c * sum[j].re;                                               \
        even.im += c * sum[j].im;                                               \
        odd.re += s * rest[j].im;                                               \
        odd.im -= s * rest[j].re;                                               \
      }                                                                         \
      a[k] = plus(even, odd);                                                   \
      a[R - k] = minus(even, odd);                                              \
    }                                                                           \
  }
TRANSFORM_ODD(3)
TRANSFORM_ODD(5)
TRANSFORM_ODD(7)
TRANSFORM_ODD(11)
TRANSFORM_ODD(13)

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
PASS(7)
PASS(8)
PASS(11)
PASS(13)

// Transforms `length` samples of all lanes, in `a` or `b`, and returns where the result is.
static local Lines* passes(local Lines* a, local Lines* b, int length, FourierLines plan,
                           global const float2* w) {
  int n = length, stride = 1;
  for (int i = 0; i < plan.count; ++i) {
    const int radix = plan.radix[i];
    switch (radix) {
      case 2:
        pass_2(a, b, n, stride, w);
        break;
      case 3:
        pass_3(a, b, n, stride, w);
        break;
      case 4:
        pass_4(a, b, n, stride, w);
        break;
      case 5:
        pass_5(a, b, n, stride, w);
        break;
      case 7:
        pass_7(a, b, n, stride, w);
        break;
      case 8:
        pass_8(a, b, n, stride, w);
        break;
      case 11:
        pass_11(a, b, n, stride, w);
        break;
      default:
        pass_13(a, b, n, stride, w);
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

// Bluestein: with jk = (j^2 + k^2 - (k - j)^2) / 2, a transform is a convolution with a chirp,
// which two transforms of a longer, smooth length do. `chirp` has `length` factors, then the
// transform of the chirp, divided by `padded`.
static local Lines* convolved(local Lines* a, local Lines* b, FourierLines plan,
                              global const float2* w, global const float2* chirp) {
  for (int i = 0; i < plan.length; ++i) a[i] = times(a[i], chirp[i]);
  for (int i = plan.length; i < plan.padded; ++i) a[i] = (Lines){0.0f, 0.0f};
  local Lines* there = passes(a, b, plan.padded, plan, w);
  // An inverse transform is a forward one with both parts exchanged.
  for (int i = 0; i < plan.padded; ++i) {
    const Lines product = times(there[i], chirp[plan.length + i]);
    there[i] = (Lines){product.im, product.re};
  }
  local Lines* back = passes(there, there == a ? b : a, plan.padded, plan, w);
  for (int i = 0; i < plan.length; ++i) {
    back[i] = times((Lines){back[i].im, back[i].re}, chirp[i]);
  }
  return back;
}

static local Lines* transformed(local Lines* scratch, FourierLines plan, global const float2* w,
                                global const float2* chirp) {
  if (plan.padded == 0) return passes(scratch, scratch + plan.length, plan.length, plan, w);
  return convolved(scratch, scratch + plan.padded, plan, w, chirp);
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

// Eight rows from number 8 * id 0 of picture id 1. `scratch` holds two times the longest line.
kernel void fourier_rows(global float2* pictures, int width, int height, int first,
                         FourierLines plan, global const float2* w, global const float2* chirp,
                         local Lines* scratch) {
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
  local const Lines* done = transformed(scratch, plan, w, chirp);
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
                            local Lines* scratch) {
  const int x = (first + (int)get_global_id(0)) * LANES;
  const int columns = min(LANES, width - x);
  global float* at = (global float*)(pictures + (size_t)get_global_id(1) * height * width + x);
  const size_t pitch = (size_t)width * 2;
  float part[2 * LANES];
  for (int i = 0; i < 2 * LANES; ++i) part[i] = 0.0f;
  for (int y = 0; y < height; ++y) {
    float16 row;
    if (columns == LANES) {
      row = vload16(0, at + y * pitch);
    } else {
      for (int i = 0; i < 2 * columns; ++i) part[i] = at[y * pitch + i];
      row = vload16(0, part);
    }
    scratch[y] = directed(row.even, row.odd, plan.inverse);
  }
  local const Lines* done = transformed(scratch, plan, w, chirp);
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
