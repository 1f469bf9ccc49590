// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture from the two parts of its transform.
#include "shared/fourier.clh"

#ifdef PASS_FFT
#if CHANNELS == 4
#define STORED 3
#else
#define STORED 1
#endif

inline float known(float v) {
  return isfinite(v) ? v : 0.0f;
}

// What is symmetric, as the transform of a real picture is: the rest has no real part.
inline float2 symmetric(float2 h, float2 opposite) {
  return 0.5f * (float2)(h.x + opposite.x, h.y - opposite.y);
}

// Two channels share a transform, one as i times the other.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void inverse_spectrum_lay(
    global float2* data, int width, int height, global const float* real, Plane in,
    global const float* imaginary, Plane other, int x0, int y0, int shift_x, int shift_y) {
  const int u = (int)get_global_id(0), v = (int)get_global_id(1);
  if (u >= width || v >= height) return;
  const int x = (u + shift_x) % width, y = (v + shift_y) % height;
  const int xo = ((width - u) % width + shift_x) % width;
  const int yo = ((height - v) % height + shift_y) % height;
  const size_t a = plane_index(in, x0 + x, y0 + y), b = plane_index(in, x0 + xo, y0 + yo);
  const size_t ia = plane_index(other, x0 + x, y0 + y), ib = plane_index(other, x0 + xo, y0 + yo);
  float2 part[4];
  for (int c = 0; c < 4; ++c) {
    part[c] = (float2)(0.0f);
    if (c >= STORED) continue;
    part[c] = symmetric(
        (float2)(known(real[a * CHANNELS + c]), known(imaginary[ia * 4 + c])),
        (float2)(known(real[b * CHANNELS + c]), known(imaginary[ib * 4 + c])));
  }
  for (int k = 0; k < PAIRS; ++k) {
    const float2 first = part[2 * k], second = part[2 * k + 1];
    data[(size_t)v * width + u + (size_t)k * width * height] =
        (float2)(first.x - second.y, first.y + second.x);
  }
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void inverse_spectrum_store(
    global const float2* data, int width, int height, global float* dst, Plane out, int x0,
    int y0, float factor) {
  const int x = out.x + (int)get_global_id(0), y = out.y + (int)get_global_id(1);
  if (x >= out.x + out.width || y >= out.y + out.height) return;
  const size_t at = (size_t)(y - y0) * width + (x - x0);
#if CHANNELS == 4
  const float2 first = factor * data[at], second = factor * data[at + (size_t)width * height];
  store_rgba((float4)(first.x, first.y, second.x, 1.0f), dst, plane_index(out, x, y));
#else
  dst[plane_index(out, x, y)] = factor * data[at].x;
#endif
}
#endif
