// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Conversion of pixels between descriptions: sample type, channels, tone curve, alpha. The engine's
// only conversion, at both ends and between filters, sixteen numbers at a time.
//
// What is converted is said by a Conversion. Processors get it as an argument, since there are too
// many for a program each; GPUs have it compiled in, by -D:
//   SRC_TYPE, SRC_N, DST_TYPE, DST_N, FROM_CURVE, TO_CURVE, FROM_ALPHA, TO_ALPHA, KEPT_TYPE,
//   BY_TABLE, DITHERED
#include "shared/plane.clh"
#include "shared/tone_curves.clh"
#include "shared/vectors.clh"

// The host's twin is in core/engine/device_backend.cpp.
typedef struct {
  int src_type, src_n, dst_type, dst_n;  // types: U8 ...; channels stored; of four, one or two
                                         // stored channels take the first colour
  int from_curve, to_curve;              // CURVE_*
  int from_alpha, to_alpha;              // NO_ALPHA ...
  int kept_type;  // where alpha is 0 before and after, the stored colour is kept: `original` holds
                  // it in this type, with the channels and coding of dst; -1: it is not kept
  int by_table;   // samples of U8 are decoded by a table of 256 numbers
  int dithered;   // integers are rounded by a fixed pattern instead of to nearest
} Conversion;

#define U8 0
#define U16 1
#define HALF 2
#define FLOAT 3
#define NO_ALPHA 0
#define STRAIGHT 1
#define PREMULTIPLIED 2

ALWAYS_INLINE int bytes_of(int type) {
  return type == U8 ? 1 : type == FLOAT ? 4 : 2;
}

// Four interleaved channels are worked on, unless both ends are plain gray.
ALWAYS_INLINE bool is_gray(Conversion c) {
  return c.src_n == 1 && c.dst_n == 1;
}

ALWAYS_INLINE float16 load_samples(int type, global const uchar* p) {
  switch (type) {
    case U8:
      return convert_float16(vload16(0, p));
    case U16:
      return convert_float16(vload16(0, (global const ushort*)p));
    case HALF:
      return vload_half16(0, (global const half*)p);
    default:
      return vload16(0, (global const float*)p);
  }
}

// Sixteen numbers are always loaded, and those of four pixels are put in place; the fourth lane of
// opaque pixels is overwritten later.
ALWAYS_INLINE float16 spread(int channels, float16 v) {
  switch (channels) {
    case 1:
      return v.s0000111122223333;
    case 2:
      return v.s0001222344456667;
    case 3:
      return LANES16(float16, v, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, a, b, b);
    default:
      return v;
  }
}

ALWAYS_INLINE float16 alphas(float16 v) {
  return ALPHAS(float16, v);
}
ALWAYS_INLINE float16 with_alpha(float16 v, float16 a) {
  return select(v, a, ALPHA_LANES(int16));
}

ALWAYS_INLINE float scale_of(int type) {
  return type == U8 ? 1.0f / 255.0f : type == U16 ? 1.0f / 65535.0f : 1.0f;
}

ALWAYS_INLINE bool same_curve(Conversion c) {
  return c.from_curve == c.to_curve && c.from_curve != CURVE_GAMMA;
}

ALWAYS_INLINE float16 with_curve(Conversion c, float16 v, float gamma, float inverse_gamma) {
  if (same_curve(c)) return v;
  if (c.from_curve == CURVE_SRGB) v = tone_decode_srgb(v);
  if (c.from_curve == CURVE_GAMMA) v = tone_gamma(v, gamma);
  if (c.to_curve == CURVE_SRGB) v = tone_encode_srgb(v);
  if (c.to_curve == CURVE_GAMMA) v = tone_gamma(v, inverse_gamma);
  return v;
}

ALWAYS_INLINE float16 converted(Conversion c, float16 v, float gamma, float inverse_gamma) {
  if (is_gray(c)) return with_curve(c, v, gamma, inverse_gamma);
  const bool opaque = c.from_alpha == NO_ALPHA && c.src_n != 4;
  const float16 a = opaque ? (float16)(1.0f) : alphas(v);
  // Premultiplied colour with alpha 0 is light without coverage (a glow): it has no straight form
  // and passes unchanged.
  const bool from_light = c.from_alpha == PREMULTIPLIED;
  if (from_light && (c.to_alpha == STRAIGHT || !same_curve(c))) v = select(v / a, v, a == 0.0f);
  v = with_curve(c, v, gamma, inverse_gamma);
  if (c.to_alpha == PREMULTIPLIED) {
    if (c.from_alpha == STRAIGHT) v *= a;
    if (from_light && !same_curve(c)) v = select(v * a, v, a == 0.0f);
  }
  return with_alpha(v, a);
}

// In 0..1 for pixel (x, y) of the picture: interleaved gradient noise, anchored at the origin.
inline float dither_at(int x, int y, int channel) {
  const float f = 0.06711056f * (float)(x + 37 * channel) + 0.00583715f * (float)(y + 17 * channel);
  const float g = 52.9829189f * (f - floor(f));
  return g - floor(g);
}

ALWAYS_INLINE float16 rounding_of(Conversion c, int x, int y) {
  if (!c.dithered) return (float16)(0.5f);
  const int wide = is_gray(c) ? 1 : 4;
  float16 r;
  float* lanes = (float*)&r;
  for (int i = 0; i < 16; ++i) lanes[i] = dither_at(x + i / wide, y, i % wide);
  return r;
}

// Rows of dst are aligned and padded, so whole aligned vectors can be written; on some CPU devices,
// vstore of bytes becomes one store per byte.
#define STORE_VECTOR(T, n, value, q) *(global T##n*)(q) = (value)
#define STORE_HALVES(T, n, value, q) vstore_half##n##_rte(value, 0, q)
#define STORE(STORE_N, T, T8, v, channels, p)                        \
  switch (channels) {                                                \
    case 1:                                                          \
      STORE_N(T, 4, (v).s048c, p);                                   \
      break;                                                         \
    case 2:                                                          \
      STORE_N(T, 8, (LANES8(T8, v, 0, 3, 4, 7, 8, b, c, f)), p);     \
      break;                                                         \
    case 3:                                                          \
      STORE_N(T, 4, (v).s0124, p);                                   \
      STORE_N(T, 4, (v).s5689, (p) + 4);                             \
      STORE_N(T, 4, (v).sacde, (p) + 8);                             \
      break;                                                         \
    default:                                                         \
      STORE_N(T, 16, v, p);                                          \
  }

ALWAYS_INLINE void store_samples(Conversion c, global uchar* p, float16 v, int x, int y) {
  const int channels = is_gray(c) ? 4 : c.dst_n;  // sixteen gray pixels lie as four of RGBA do
  if (c.dst_type <= U16) {
    const float most = c.dst_type == U8 ? 255.0f : 65535.0f;
    v = clamp(fmax(v, 0.0f) * most + rounding_of(c, x, y), 0.0f, most);  // fmax: NaN becomes 0
  }
  switch (c.dst_type) {
    case U8: {
      const uchar16 samples = convert_uchar16(v);
      STORE(STORE_VECTOR, uchar, uchar8, samples, channels, p)
      break;
    }
    case U16: {
      const ushort16 samples = convert_ushort16(v);
      STORE(STORE_VECTOR, ushort, ushort8, samples, channels, (global ushort*)p)
      break;
    }
    case HALF:
      STORE(STORE_HALVES, half, float8, v, channels, (global half*)p)
      break;
    default:
      STORE(STORE_VECTOR, float, float8, v, channels, (global float*)p)
  }
}

// The pixels from x on, all in the picture's row y, of which `left` are wanted.
ALWAYS_INLINE float16 gathered(int type, int channels, bool gray, global const uchar* from,
                               Plane plane, int x, int y, int left) {
  const int bytes = bytes_of(type) * channels;
  const float16 v = load_samples(type, from + (size_t)plane_index(plane, x, y) * bytes);
  return first_lanes(gray ? v : spread(channels, v), gray ? left : left * 4);
}

#ifdef FORM_CPU
#define LOCAL_X 1
#define CONVERSION , Conversion c
#else
#define CONVERSION
#endif

// Rows of dst are padded to 16 pixels, so that whole vectors may be written; rows of src are
// followed by readable memory.
kernel __attribute__((reqd_work_group_size(LOCAL_X, 1, 1))) void transfer(
    global const uchar* src, Plane in, global uchar* dst, Plane out, global const uchar* original,
    Plane kept, global const float* table, float gamma, float inverse_gamma CONVERSION) {
#ifdef FORM_CPU
  const int span = 512;  // pixels of a row per item
#else
  const Conversion c = {SRC_TYPE,   SRC_N,    DST_TYPE,  DST_N,    FROM_CURVE, TO_CURVE,
                        FROM_ALPHA, TO_ALPHA, KEPT_TYPE, BY_TABLE, DITHERED};
  const int span = is_gray(c) ? 16 : 4;
#endif
  const bool gray = is_gray(c);
  const int pixels = gray ? 16 : 4;
  const int row = (int)get_global_id(1);
  const int first = (int)get_global_id(0) * span;
  if (row >= out.height || first >= out.width) return;
  const int y = out.y + row;
  const int last = min(first + span, out.width);
  for (int i = first; i < last; i += pixels) {
    const int x = out.x + i;
    float16 v = gathered(c.src_type, c.src_n, gray, src, in, x, y, last - i);
    if (c.by_table) {
      float16 t;
      float* to = (float*)&t;
      const int16 samples = convert_int16(v);
      const int* value = (const int*)&samples;
#pragma unroll
      for (int k = 0; k < 16; ++k) to[k] = table[value[k]];
      v = gray ? t : with_alpha(t, v * scale_of(U8));
    } else if (c.src_type <= U16) {
      v *= scale_of(c.src_type);
    }
    v = converted(c, v, gamma, inverse_gamma);
    if (c.kept_type >= 0) {
      const float16 o = gathered(c.kept_type, c.dst_n, false, original, kept, x, y, last - i) *
                        scale_of(c.kept_type);
      v = select(v, with_alpha(o, v), (alphas(o) == 0.0f) & (alphas(v) == 0.0f));
    }
    const size_t at = (size_t)plane_index(out, x, y) * (bytes_of(c.dst_type) * c.dst_n);
    store_samples(c, dst + at, v, x, y);
  }
}
