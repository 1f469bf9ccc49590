// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A night vision device: brightness looked up in greens, with scanlines, noise and an overlay. With
// RAMP, the colours are a picture's middle row; with OVERLAY, another picture is laid over all.
#include "shared/point_pass.clh"
#include "shared/color_gradient.clh"
#include "shared/gaussian/gaussian.clh"
#include "night_vision/overlay.clh"

#ifdef PASS_SEEN
// The host's twin is in night_vision.cpp.
typedef struct {
  float gain, scanlines, per_line, noise;
  uint seed;
} Tube;

// For the pixels from x on: numbers from -0.5 to 0.5, uniform and independent from pixel to pixel,
// by the finaliser of a 32-bit hash.
#ifdef FORM_CPU
typedef uint16 hash_t;
#define convert_hash convert_float16
#if CHANNELS == 4
#define PIXEL_OF_LANE ((uint16)(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3))
#else
#define PIXEL_OF_LANE ((uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif
#else
typedef uint hash_t;
#define convert_hash convert_float
#define PIXEL_OF_LANE 0u
#endif
inline float16 grain_at(int x, int y, uint seed) {
  hash_t h = (PIXEL_OF_LANE + (uint)x) * 0x9E3779B1u ^ (seed ^ (uint)y * 0x85EBCA77u);
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  h ^= h >> 15;
  return (float16)(convert_hash(h >> 8) / 16777216.0f - 0.5f);
}

#if CHANNELS == 4
// The colours that replace brightness.
inline float16 tube_colors(float16 seen, global const float* ramps, int count,
                           global const float* ramp, Plane place) {
#ifdef RAMP
  return row_colors(seen, ramp, place);
#else
  return gradient_colors(seen, ramps, count);
#endif
}
#else
// The change that a ramp makes to a gray result.
inline float gray_of_ramp(global const float* ramp, float4 weights) {
  return weights.x * ramp[0] + weights.y * ramp[1] + weights.z * ramp[2];
}

// Their gray.
inline float16 tube_grays(float16 seen, global const float* ramps, int count,
                          global const float* ramp, Plane place, float4 weights) {
#ifdef RAMP
  return row_grays(seen, ramp, place, weights);
#else
  float16 result = (float16)(gray_of_ramp(ramps, weights));
  for (int k = 1; k < count; ++k) {
    result += gray_of_ramp(ramps + 8 * k, weights) * ramp_part(seen, ramps + 8 * k);
  }
  return result;
#endif
}
#endif

#ifdef OVERLAY
// The overlay over the pixels from x on, of which `count` exist.
inline float16 overlaid(float16 below, global const float* overlay, Plane place, int x, int y,
                        int count, int width, int height, float4 weights) {
  float lane[16];
  vstore16(below, 0, lane);
  for (int k = 0; k < min(count, POINT_PIXELS); ++k) {
    const float4 above = overlay_at(overlay, place, x + k, y, width, height);
#if CHANNELS == 4
    vstore4(fma((float4)(1.0f - above.w), vload4(k, lane), above), k, lane);
#else
    lane[k] = fma(1.0f - above.w, lane[k], gray_of(above, weights));
#endif
  }
  return vload16(0, lane);
}
#endif

// Pictures that are not bound are any other.
kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void seen_at_night(
    global const float* src, Plane in, global float* dst, Plane out, global const float* ramps,
    int count, float4 weights, Tube tube, global const float* ramp, Plane ramp_place,
    global const float* overlay, Plane overlay_place, int width, int height) {
  const PointRow row = point_row(out, (int)get_global_id(0), (int)get_global_id(1));
  const float line = 1.0f - tube.scanlines * (0.5f - 0.5f * cospi(2.0f * tube.per_line * row.y));
  for (int x = row.first; x < row.last; x += POINT_PIXELS) {
    const float16 v = point_load(src, in, x, row);
    const float16 noise = tube.noise * grain_at(x, row.y, tube.seed);
#if CHANNELS == 4
    const float16 alpha = ALPHAS(float16, v);
    const float16 sum = REDS(float16, v) * weights.x + GREENS(float16, v) * weights.y +
                        BLUES(float16, v) * weights.z;
    const float16 gray = select((float16)(0.0f), sum / alpha, alpha > 0.0f);
    const float16 color =
        tube_colors(gray * tube.gain + noise, ramps, count, ramp, ramp_place);
    // The gradient's own alpha, times the picture's.
    const float16 shown = ALPHAS(float16, color) * alpha;
    float16 result = select(color * line * shown, shown, ALPHA_LANES(int16));
#else
    float16 result =
        line * tube_grays(v * tube.gain + noise, ramps, count, ramp, ramp_place, weights);
#endif
#ifdef OVERLAY
    result = overlaid(result, overlay, overlay_place, x, row.y, row.last - x, width, height, weights);
#endif
    point_store(dst, out, x, row, result);
  }
}
#endif
