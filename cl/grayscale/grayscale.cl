// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour to gray by three weights; alpha stays unchanged.
#define POINT_ARGUMENTS , float4 weights
#define POINT(v) gray(v, weights)

inline float16 gray(float16 v, float4 w) {
  // Every lane of a pixel becomes its sum, then alpha is restored. No vector is widened: that is
  // slow on some devices, and Oclgrind cannot follow it.
  const float16 sum = v.s000044448888cccc * w.x + v.s111155559999dddd * w.y + v.s22226666aaaaeeee * w.z;
  return select(sum, v, (int16)(0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1));
}

#include "shared/point_pass.clh"
