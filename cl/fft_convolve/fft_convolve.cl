// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Blurs the picture with a picture of the blur.
#include "shared/fourier.clh"

#ifdef PASS_FFT
// The kernel picture (RGBA) as complex pairs, its centre at 0, so that multiplying by its transform
// blurs as optics do (flipped, compared with applying a matrix here). Its colours are multiplied by
// `factors`; alpha, and a gray picture, are blurred with their mean.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fft_lay_kernel(
    global float2* dst, int width, int height, global const float* src, Plane in, float4 factors) {
  const int i = (int)get_global_id(0);
  const int j = (int)get_global_id(1);
  if (i >= width || j >= height) return;
  int x = i + in.width / 2, y = j + in.height / 2;
  x = x >= width ? x - width : x;
  y = y >= height ? y - height : y;
  float4 v = (float4)(0.0f);
  if (x < in.width && y < in.height) {
    v = load_rgba(src, plane_index(in, in.x + x, in.y + y));
    v = select((float4)(0.0f), v, isfinite(v));
    v *= v.w * factors;
    v.w = (v.x + v.y + v.z) / 3.0f;
  }
  const size_t at = (size_t)j * width + i;
#if CHANNELS == 4
  dst[at] = v.xy;
  dst[(size_t)width * height + at] = v.zw;
#else
  dst[at] = (float2)(v.w, v.w);
#endif
}

// Multiplies the transforms of two pictures, each with two channels as real and imaginary part. The
// opposite frequency separates the channels. Items cover half of the frequencies and write both
// halves.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fft_multiply_pairs(
    global float2* data, int width, int height, global const float2* by, float factor) {
  const int u = (int)get_global_id(0);
  const int v = (int)get_global_id(1);
  if (u >= width || v >= height) return;
  const int ou = (width - u) % width, ov = (height - v) % height;
  const size_t at = (size_t)v * width + u, opposite = (size_t)ov * width + ou;
  if (opposite < at) return;
  for (int k = 0; k < PAIRS; ++k) {
    const size_t p = at + (size_t)k * width * height, q = opposite + (size_t)k * width * height;
    const float2 z = data[p], w = data[q], g = by[p], h = by[q];
    // The transforms of the first and the second channel, of picture and kernel.
    const float2 z1 = 0.5f * (float2)(z.x + w.x, z.y - w.y);
    const float2 z2 = 0.5f * (float2)(z.y + w.y, w.x - z.x);
    const float2 g1 = 0.5f * (float2)(g.x + h.x, g.y - h.y);
    const float2 g2 = 0.5f * (float2)(g.y + h.y, h.x - g.x);
    const float2 a = factor * (float2)(z1.x * g1.x - z1.y * g1.y, z1.x * g1.y + z1.y * g1.x);
    const float2 b = factor * (float2)(z2.x * g2.x - z2.y * g2.y, z2.x * g2.y + z2.y * g2.x);
    data[p] = (float2)(a.x - b.y, a.y + b.x);
    data[q] = (float2)(a.x + b.y, b.x - a.y);
  }
}

// Writes the picture's part; with renormalise, every channel is divided by its value in `inside`.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fft_store(
    global const float2* data, int width, int height, int halo_x, int halo_y, Edge edge,
    global float* dst, Plane out, global const float2* inside, int renormalise, int opaque) {
  const int x = out.x + (int)get_global_id(0), y = out.y + (int)get_global_id(1);
  if (x >= out.x + out.width || y >= out.y + out.height) return;
  const size_t at = frame_index(x, y, edge, width, halo_x, halo_y);
#if CHANNELS == 4
  const size_t second = (size_t)width * height + at;
  const float2 a = data[at], b = data[second];
  float4 v = (float4)(a.x, a.y, b.x, b.y);
  if (renormalise) {
    const float2 c = inside[at], d = inside[second];
    const float4 left = (float4)(c.x, c.y, d.x, d.y);
    v = select(v, v / left, fabs(left) > 0.001f);
  }
  // Rounding must not change opacity.
  if (opaque) {
    v.w = 1.0f;
  } else if (fabs(v.w) < 1e-6f) {
    v = (float4)(0.0f);
  }
  store_rgba(v, dst, plane_index(out, x, y));
#else
  float v = data[at].x;
  if (renormalise && fabs(inside[at].x) > 0.001f) v /= inside[at].x;
  dst[plane_index(out, x, y)] = v;
#endif
}

// 1 in every channel inside the picture.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fft_lay_indicator(
    global float2* dst, int width, int height, int halo_x, int halo_y, int columns, int rows) {
  const int i = (int)get_global_id(0);
  const int j = (int)get_global_id(1);
  if (i >= width || j >= height) return;
  const int x = i - halo_x, y = j - halo_y;
  const float v = x >= 0 && x < columns && y >= 0 && y < rows ? 1.0f : 0.0f;
  const size_t at = (size_t)j * width + i;
  dst[at] = (float2)(v, v);
#if PAIRS == 2
  dst[(size_t)width * height + at] = (float2)(v, v);
#endif
}
#endif
