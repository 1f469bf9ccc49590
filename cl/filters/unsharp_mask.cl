// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Unsharp mask: a Gaussian, and what it took away given back times `amount`.
#include "gaussian.clh"

#ifdef PASS_SHARPEN
// Beyond the threshold: differences shrink towards 0 by it.
inline float4 beyond(float4 d, float threshold) {
  return copysign(fmax(fabs(d) - threshold, 0.0f), d);
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void sharpened(
    global const float* src, Plane in, global const float* blurred, Plane blur, global float* dst,
    Plane out, float amount, float threshold) {
  const int x = out.x + (int)get_global_id(0), y = out.y + (int)get_global_id(1);
  if (x >= out.x + out.width || y >= out.y + out.height) return;
  const int from = plane_index(in, x, y), at = plane_index(blur, x, y);
  const int to = plane_index(out, x, y);
#if CHANNELS == 4
  const float4 v = vload4(from, src), b = vload4(at, blurred);
  // Straight colours are compared; where nothing shows, nothing is done.
  const float4 straight = v.w > 0.0f && b.w > 0.0f ? v / v.w - b / b.w : (float4)(0.0f);
  float4 sharp = v + amount * v.w * beyond(straight, threshold);
  sharp.w = v.w;
  vstore4(sharp, to, dst);
#else
  dst[to] = src[from] + amount * beyond((float4)(src[from] - blurred[at]), threshold).x;
#endif
}
#endif
