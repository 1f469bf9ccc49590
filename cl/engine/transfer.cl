// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Conversion of pixels between descriptions: sample type, channels, tone curve, alpha. The engine's
// only conversion, at both ends and between filters, sixteen numbers at a time.
//
// Structure, by -D:
//   SRC_TYPE, DST_TYPE   0 u8, 1 u16, 2 half, 3 float
//   SRC_N, DST_N         channels stored; 4 -> 1 and 4 -> 2 take the first colour
//   FROM_CURVE, TO_CURVE CURVE_*; FROM_ALPHA, TO_ALPHA 0 none, 1 straight, 2 premultiplied
//   DECODE_TABLE         u8 samples are decoded by a table of 256 numbers
//   KEEP_HIDDEN          where alpha is 0 before and after, the stored colour is kept: `original`
//                        holds it in KEPT_TYPE, with the channels and coding of dst
//   DITHER               integers are rounded by a fixed pattern instead of to nearest
#include "shared/plane.clh"
#include "shared/tone_curves.clh"
#include "shared/vectors.clh"

#if SRC_TYPE == 0
#define SRC uchar
#define SRC_SCALE (1.0f / 255.0f)
#elif SRC_TYPE == 1
#define SRC ushort
#define SRC_SCALE (1.0f / 65535.0f)
#elif SRC_TYPE == 2
#define SRC half
#else
#define SRC float
#endif
#if DST_TYPE == 0
#define DST uchar
#define DST8 uchar8
#define DST_MAX 255.0f
#elif DST_TYPE == 1
#define DST ushort
#define DST8 ushort8
#define DST_MAX 65535.0f
#elif DST_TYPE == 2
#define DST half
#define DST8 float8  // argument type of vstore_half8
#else
#define DST float
#define DST8 float8
#endif

#ifndef KEEP_HIDDEN
#define KEPT_TYPE 3
#endif
#if KEPT_TYPE == 0
#define KEPT uchar
#define KEPT_SCALE (1.0f / 255.0f)
#elif KEPT_TYPE == 1
#define KEPT ushort
#define KEPT_SCALE (1.0f / 65535.0f)
#elif KEPT_TYPE == 2
#define KEPT half
#define KEPT_SCALE 1.0f
#else
#define KEPT float
#define KEPT_SCALE 1.0f
#endif

// Work on four interleaved channels unless both ends are plain gray.
#if SRC_N == 1 && DST_N == 1
#define WIDE 1
#define PIXELS 16
#else
#define WIDE 4
#define PIXELS 4
#endif

// One gather function per stored type and channel count.
#define LOAD_0(n, p) convert_float##n(vload##n(0, p))
#define LOAD_1(n, p) convert_float##n(vload##n(0, p))
#define LOAD_2(n, p) vload_half##n(0, p)
#define LOAD_3(n, p) vload##n(0, p)
// Sixteen numbers are always loaded, and those of PIXELS pixels are put in place; the fourth lane
// of opaque pixels is overwritten later.
inline float16 spread_1(float16 v) { return v.s0000111122223333; }
inline float16 spread_2(float16 v) { return v.s0001222344456667; }
inline float16 spread_3(float16 v) {
  return LANES16(float16, v, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, a, b, b);
}
inline float16 spread_4(float16 v) { return v; }
#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#if WIDE == 1
#define GATHER(TYPE, N, p) PASTE(LOAD_, TYPE)(16, p)
#else
#define GATHER(TYPE, N, p) PASTE(spread_, N)(PASTE(LOAD_, TYPE)(16, p))
#endif

#if WIDE == 4
inline float16 alphas(float16 v) {
  return ALPHAS(float16, v);
}
inline float16 with_alpha(float16 v, float16 a) {
  return select(v, a, ALPHA_LANES(int16));
}
#endif

inline float16 decode_curve(float16 v, float gamma) {
#if FROM_CURVE == TO_CURVE && FROM_CURVE != CURVE_GAMMA
  return v;
#elif FROM_CURVE == CURVE_SRGB
  return tone_decode_srgb(v);
#elif FROM_CURVE == CURVE_GAMMA
  return tone_gamma(v, gamma);
#else
  return v;
#endif
}

inline float16 encode_curve(float16 v, float inverse_gamma) {
#if FROM_CURVE == TO_CURVE && FROM_CURVE != CURVE_GAMMA
  return v;
#elif TO_CURVE == CURVE_SRGB
  return tone_encode_srgb(v);
#elif TO_CURVE == CURVE_GAMMA
  return tone_gamma(v, inverse_gamma);
#else
  return v;
#endif
}

#define SAME_CURVE (FROM_CURVE == TO_CURVE && FROM_CURVE != CURVE_GAMMA)

inline float16 converted(float16 v, float gamma, float inverse_gamma) {
#if WIDE == 1
  return encode_curve(decode_curve(v, gamma), inverse_gamma);
#else
#if FROM_ALPHA == 0 && SRC_N != 4
  const float16 a = (float16)(1.0f);
#else
  const float16 a = alphas(v);
#endif
  // Premultiplied colour with alpha 0 is light without coverage (a glow): it has no straight form
  // and passes unchanged.
#if FROM_ALPHA == 2 && (TO_ALPHA == 1 || !SAME_CURVE)
  v = select(v / a, v, a == 0.0f);
#endif
  v = encode_curve(decode_curve(v, gamma), inverse_gamma);
#if (FROM_ALPHA == 1 && TO_ALPHA == 2)
  v *= a;
#elif FROM_ALPHA == 2 && TO_ALPHA == 2 && !SAME_CURVE
  v = select(v * a, v, a == 0.0f);
#endif
  return with_alpha(v, a);
#endif
}

#ifdef DST_MAX
// In 0..1 for pixel (x, y) of the picture: interleaved gradient noise, anchored at the origin.
inline float dither_at(int x, int y, int channel) {
  const float f = 0.06711056f * (float)(x + 37 * channel) + 0.00583715f * (float)(y + 17 * channel);
  const float g = 52.9829189f * (f - floor(f));
  return g - floor(g);
}
#endif

inline void scatter(global DST* p, float16 v, int count, int x, int y) {
#ifdef DST_MAX
#ifdef DITHER
  float16 r;
  float* lanes = (float*)&r;
  for (int i = 0; i < 16; ++i) lanes[i] = dither_at(x + i / WIDE, y, i % WIDE);
#else
  const float16 r = (float16)(0.5f);
#endif
  v = clamp(fmax(v, 0.0f) * DST_MAX + r, 0.0f, DST_MAX);  // fmax: NaN becomes 0
#if DST_TYPE == 0
  const uchar16 c = convert_uchar16(v);
#else
  const ushort16 c = convert_ushort16(v);
#endif
#else
  const float16 c = v;
#endif

  // Rows of dst are aligned and padded, so whole aligned vectors can be written; on some CPU
  // devices, vstore of bytes becomes one store per byte.
#if DST_TYPE == 2
#define STORE(n, value, q) vstore_half##n##_rte(value, 0, q)
#elif DST_TYPE == 0
#define STORE(n, value, q) *(global uchar##n*)(q) = (value)
#elif DST_TYPE == 1
#define STORE(n, value, q) *(global ushort##n*)(q) = (value)
#else
#define STORE(n, value, q) *(global float##n*)(q) = (value)
#endif
#if WIDE == 1 || DST_N == 4
  STORE(16, c, p);
#elif DST_N == 3
  STORE(4, ((c.s0124)), p);
  STORE(4, ((c.s5689)), p + 4);
  STORE(4, ((c.sacde)), p + 8);
#elif DST_N == 2
  STORE(8, (LANES8(DST8, c, 0, 3, 4, 7, 8, b, c, f)), p);
#else
  STORE(4, ((c.s048c)), p);
#endif
}

#ifdef FORM_CPU
#define SPAN 512  // pixels of a row per item
#else
#define SPAN PIXELS
#endif

// Rows of dst are padded to 16 pixels, so that whole vectors may be written; rows of src are
// followed by readable memory.
kernel __attribute__((reqd_work_group_size(LOCAL_X, 1, 1))) void transfer(
    global const SRC* src, Plane in, global DST* dst, Plane out, global const KEPT* original,
    Plane kept, global const float* table, float gamma, float inverse_gamma) {
  const int row = (int)get_global_id(1);
  const int first = (int)get_global_id(0) * SPAN;
  if (row >= out.height || first >= out.width) return;
  const int y = out.y + row;
  const int last = min(first + SPAN, out.width);
  for (int i = first; i < last; i += PIXELS) {
    const int x = out.x + i;
    global const SRC* from = src + (size_t)plane_index(in, x, y) * SRC_N;
    float16 v = first_lanes(GATHER(SRC_TYPE, SRC_N, from), (last - i) * WIDE);
#ifdef DECODE_TABLE
    float16 t;
    float* to = (float*)&t;
    const int16 samples = convert_int16(v);
    const int* value = (const int*)&samples;
#pragma unroll
    for (int k = 0; k < 16; ++k) to[k] = table[value[k]];
#if WIDE == 4
    v = with_alpha(t, v * SRC_SCALE);
#else
    v = t;
#endif
#elif defined(SRC_SCALE)
    v *= SRC_SCALE;
#endif
    v = converted(v, gamma, inverse_gamma);
#ifdef KEEP_HIDDEN
    {
      global const KEPT* o_at = original + (size_t)plane_index(kept, x, y) * DST_N;
      const float16 o =
          first_lanes(GATHER(KEPT_TYPE, DST_N, o_at), (last - i) * WIDE) * KEPT_SCALE;
      const float16 hidden_a = alphas(o);
      v = select(v, with_alpha(o, v), (hidden_a == 0.0f) & (alphas(v) == 0.0f));
    }
#endif
    scatter(dst + (size_t)plane_index(out, out.x + i, y) * DST_N, v, last - i, x, y);
  }
}
