// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Cubic pieces sorted by their first x, five numbers each: x0, y0, slope, b, c.
#include "shared/selected_channels.clh"

#define POINT_ARGUMENTS , global const float* pieces, int count
#define POINT(v) curved(v, pieces, count)

inline float16 piece_at(float16 v, global const float* p) {
  const float16 t = v - p[0];
  return p[1] + t * (p[2] + t * (p[3] + t * p[4]));
}

inline float16 curved(float16 v, global const float* pieces, int count) {
  float16 y = piece_at(v, pieces);
  for (int i = 1; i < count; ++i) {
    global const float* p = pieces + 5 * i;
    y = select(y, piece_at(v, p), v >= p[0]);
  }
  return in_channels(v, y);
}

#include "shared/point_pass.clh"
