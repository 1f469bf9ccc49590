// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The transform of the picture, shown as a picture.
#include "shared/fourier.clh"

#ifdef PASS_FFT
#define SHOW_MAGNITUDE 0
#define SHOW_PHASE 1
#define SHOW_POWER 2
#define SHOW_REAL 3
#define SHOW_IMAGINARY 4

inline float shown(float2 h, float samples, int show, float gain) {
  if (show == SHOW_REAL) return h.x / sqrt(samples);
  if (show == SHOW_IMAGINARY) return h.y / sqrt(samples);
  const float size = hypot(h.x, h.y);
  if (show == SHOW_MAGNITUDE) return gain * 0.1f * log1p(size);
  if (show == SHOW_POWER) {
    const float of_mean = size / samples;
    return gain * of_mean * of_mean;
  }
  // 0 has no angle, and a value that is real up to rounding has an angle of 0 or half a turn.
  if (size <= 1e-6f * samples) return 0.5f;
  if (fabs(h.y) <= 1e-5f * size) return h.x < 0.0f ? 1.0f : 0.5f;
  return atan2pi(h.y, h.x) * 0.5f + 0.5f;
}

// `data` holds the transforms of two channels at a time, as real and imaginary part: the opposite
// frequency separates them.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void spectrum_show(
    global const float2* data, int width, int height, global float* dst, Plane out, int x0, int y0,
    int shift_x, int shift_y, int show, float gain) {
  const int x = out.x + (int)get_global_id(0), y = out.y + (int)get_global_id(1);
  if (x >= out.x + out.width || y >= out.y + out.height) return;
  const int u = (x - x0 + width - shift_x) % width, v = (y - y0 + height - shift_y) % height;
  const size_t at = (size_t)v * width + u;
  const size_t opposite = (size_t)((height - v) % height) * width + (width - u) % width;
  const float samples = (float)width * height;
  float value[4];
  for (int k = 0; k < PAIRS; ++k) {
    const float2 a = data[at + (size_t)k * width * height];
    const float2 b = data[opposite + (size_t)k * width * height];
    value[2 * k] = shown(0.5f * (float2)(a.x + b.x, a.y - b.y), samples, show, gain);
    value[2 * k + 1] = shown(0.5f * (float2)(a.y + b.y, b.x - a.x), samples, show, gain);
  }
#if CHANNELS == 4
  store_rgba((float4)(value[0], value[1], value[2], 1.0f), dst, plane_index(out, x, y));
#else
  dst[plane_index(out, x, y)] = value[0];
#endif
}
#endif
