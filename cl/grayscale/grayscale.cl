// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour to gray by three weights; alpha stays unchanged.
#include "shared/vectors.clh"

#define POINT_ARGUMENTS , float4 weights
#define POINT(v) gray(v, weights)

inline float16 gray(float16 v, float4 w) {
  // Every lane of a pixel becomes its sum, then alpha is restored. No vector is widened: that is
  // slow on some devices, and Oclgrind cannot follow it.
  const float16 sum = REDS(float16, v) * w.x + GREENS(float16, v) * w.y + BLUES(float16, v) * w.z;
  return select(sum, v, ALPHA_LANES(int16));
}

#include "shared/point_pass.clh"
