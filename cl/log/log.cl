// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Laplacian of Gaussian and its zero crossings.
#include "shared/convolution/convolution.clh"
#include "shared/fourier.clh"

#ifdef PASS_CROSSINGS
// 1 where the response changes its sign towards the right or downwards by more than `threshold`,
// between two finite values; values not below -noise count as non-negative.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void zero_crossings(
    global const pixel* response, Plane in, Edge edge, global pixel* dst, Plane out,
    float threshold, float noise, int last_x, int last_y) {
  const int x = out.x + (int)get_global_id(0), y = out.y + (int)get_global_id(1);
  if (x >= out.x + out.width || y >= out.y + out.height) return;
#define CROSSES(p, q) \
  (((p < -noise) != (q < -noise)) & (fabs(p - q) > threshold) & (fabs(p - q) <= FLT_MAX))
  // Beyond the picture nothing changes.
  const pixel a = response[plane_index(in, x, y)];
  const pixel b = response[plane_index(in, min(x + 1, last_x), y)];
  const pixel c = response[plane_index(in, x, min(y + 1, last_y))];
#if CHANNELS == 4
  float4 v = select((float4)(0.0f), (float4)(a.w), CROSSES(a, b) | CROSSES(a, c));
  v.w = a.w;
#else
  const float v = CROSSES(a, b) | CROSSES(a, c) ? 1.0f : 0.0f;
#endif
  dst[plane_index(out, x, y)] = v;
}
#endif
