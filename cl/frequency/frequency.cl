// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Weights the picture's frequencies by their distance from 0.
#include "shared/fourier.clh"

#ifdef PASS_FFT
#define SHAPE_IDEAL 0
#define SHAPE_BUTTERWORTH 1
#define SHAPE_GAUSSIAN 2
#define BAND_LOW 0
#define BAND_HIGH 1
#define BAND_PASS 2
#define BAND_STOP 3

// The gain at a frequency with squared distance d2 from 0; c2 is the squared cutoff.
inline float low_pass(float d2, float c2, int shape, float order) {
  if (shape == SHAPE_IDEAL) return d2 <= c2 ? 1.0f : 0.0f;
  if (shape == SHAPE_GAUSSIAN) return exp(-0.5f * d2 / c2);
  return 1.0f / (1.0f + pow(d2 / c2, order));
}

// `along_x` and `along_y` hold the squared distances of all columns and rows.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void frequency_weigh(
    global float2* data, int width, int height, global const float* along_x,
    global const float* along_y, int shape, int band, float c2, float high2, float order,
    float factor) {
  const int u = (int)get_global_id(0);
  const int v = (int)get_global_id(1);
  if (u >= width || v >= height) return;
  const float d2 = along_x[u] + along_y[v];
  const float low = low_pass(d2, c2, shape, order);
  float h = low;
  if (band == BAND_HIGH) h = 1.0f - low;
  if (band >= BAND_PASS) h = low_pass(d2, high2, shape, order) * (1.0f - low);
  if (band == BAND_STOP) h = 1.0f - h;
  h *= factor;
  const size_t at = (size_t)v * width + u;
  for (int k = 0; k < PAIRS; ++k) data[at + (size_t)k * width * height] *= h;
}

// Writes the picture's part of the result. Transparent pixels count as the centre pixel: `weight`
// of the result comes from the pixel's neighbourhood, and the rest of `whole` from its own value.
// With `indicator` (renormalise), sums are divided by the share of the weights inside the picture.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void frequency_store(
    global const float2* data, int width, int height, int halo_x, int halo_y, Edge edge,
    global const float* src, Plane in, global float* dst, Plane out, float whole, float offset,
    int has_alpha) {
  const int x = out.x + (int)get_global_id(0), y = out.y + (int)get_global_id(1);
  if (x >= out.x + out.width || y >= out.y + out.height) return;
  const size_t at = frame_index(x, y, edge, width, halo_x, halo_y);
#if CHANNELS == 4
  const float2 a = data[at], b = data[(size_t)width * height + at];
  float4 v = (float4)(a.x, a.y, b.x, b.y);
  float4 own = load_rgba(src, plane_index(in, x, y));
  own = select((float4)(0.0f), own, isfinite(own));
  const float weight = b.y;
#else
  float v = data[at].x;
  const float weight = data[at].y;
#endif
  // Divides only if enough weight is left.
  const bool enough = weight * whole > 0.0f && fabs(weight) * 8.0f >= fabs(whole);
  if (edge.rule == BORDER_RENORMALISE && !has_alpha && enough) v *= whole / weight;
#if CHANNELS == 4
  if (has_alpha) v = own.w * v + own * (whole - weight);
  v += offset * own.w;
  v.w = own.w;
  store_rgba(v, dst, plane_index(out, x, y));
#else
  dst[plane_index(out, x, y)] = v + offset;
#endif
}
#endif
