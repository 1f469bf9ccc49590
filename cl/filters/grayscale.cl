// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour to gray by three weights; alpha stays.
#define POINT_ARGUMENTS , float4 weights
#define POINT(v) gray(v, weights)

inline float16 gray(float16 v, float4 w) {
  const float4 g = v.s048c * w.x + v.s159d * w.y + v.s26ae * w.z;
  return (float16)(g.s000, v.s3, g.s111, v.s7, g.s222, v.sb, g.s333, v.sf);
}

#include "point.clh"
