// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A night vision device: brightness looked up in greens, with scanlines and noise.
#include "shared/point_pass.clh"
#include "shared/color_gradient.clh"
#include "shared/gaussian/gaussian.clh"

#ifdef PASS_SEEN
// The host's twin is in night_vision.cpp.
typedef struct {
  float gain, scanlines, per_line, noise;
  uint seed;
} Tube;

// Uniform in 0..1 and independent from pixel to pixel: the finaliser of a 32-bit hash.
inline float grain_at(int x, int y, uint seed) {
  uint h = seed ^ ((uint)x * 0x9E3779B1u) ^ ((uint)y * 0x85EBCA77u);
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  h ^= h >> 15;
  return (float)(h >> 8) / 16777216.0f;
}

// The change that a ramp makes to a gray result.
inline float gray_of_ramp(global const float* ramp, float4 weights) {
  return weights.x * ramp[0] + weights.y * ramp[1] + weights.z * ramp[2];
}

kernel __attribute__((reqd_work_group_size(POINT_LOCAL, 1, 1))) void seen_at_night(
    global const float* src, Plane in, global float* dst, Plane out, global const float* ramps,
    int count, float4 weights, Tube tube) {
  const int y = out.y + (int)get_global_id(1);
  const int first = (int)get_global_id(0) * POINT_SPAN;
  const int last = min(first + POINT_SPAN, out.width);
  if (y >= out.y + out.height) return;
  const float line = 1.0f - tube.scanlines * (0.5f - 0.5f * cospi(2.0f * tube.per_line * y));
  for (int i = first; i < last; i += POINT_PIXELS) {
    const int x = out.x + i;
    const float16 v = point_load(src + (size_t)plane_index(in, x, y) * CHANNELS, last - i);
    float grain[16];
    for (int k = 0; k < 16; ++k) {
      grain[k] = grain_at(x + k / CHANNELS, y, tube.seed) - 0.5f;
    }
    const float16 noise = tube.noise * vload16(0, grain);
#if CHANNELS == 4
    const float16 alpha = LANES16(float16, v, 3, 3, 3, 3, 7, 7, 7, 7, b, b, b, b, f, f, f, f);
    const float16 sum =
        LANES16(float16, v, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, c, c, c, c) * weights.x +
        LANES16(float16, v, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, d, d, d, d) * weights.y +
        LANES16(float16, v, 2, 2, 2, 2, 6, 6, 6, 6, a, a, a, a, e, e, e, e) * weights.z;
    const float16 gray = select((float16)(0.0f), sum / alpha, alpha > 0.0f);
    const float16 color = gradient_colors(gray * tube.gain + noise, ramps, count);
    // The gradient's own alpha, times the picture's.
    const float16 shown =
        LANES16(float16, color, 3, 3, 3, 3, 7, 7, 7, 7, b, b, b, b, f, f, f, f) * alpha;
    const int16 is_alpha = (int16)(0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1);
    const float16 result = select(color * line * shown, shown, is_alpha);
#else
    const float16 seen = v * tube.gain + noise;
    float16 result = (float16)(gray_of_ramp(ramps, weights));
    for (int k = 1; k < count; ++k) {
      global const float* ramp = ramps + 8 * k;
      result += gray_of_ramp(ramp, weights) * ramp_part(seen, ramp);
    }
    result *= line;
#endif
    point_store(dst + (size_t)plane_index(out, x, y) * CHANNELS, result, last - i);
  }
}
#endif
