// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The scalar twin of cl/shared/exact_arithmetic.clh: arithmetic that is bit-identical on all
// devices.
#pragma once

#include <cmath>

namespace sfumato {

/// The direction of (x, y) as a fraction of a turn, 0 <= turn < 1, from +x towards +y; 0 for (0,
/// 0). The error is below 1e-7.
inline float exact_turn(float x, float y) {
  // atan(t) / 2 pi t in powers of t squared, by interpolation at Chebyshev's points.
  constexpr float powers[] = {0.15915494f,    -0.0530511756f,  0.0318180526f,
                              -0.022596497f,  0.0168996618f,   -0.0118679531f,
                              0.00670641111f, -0.00250370607f, 0.000440267697f};
  const float ax = std::abs(x), ay = std::abs(y);
  const float most = std::fmax(ax, ay);
  const float t = std::fmin(ax, ay) / (most > 0 ? most : 1.0f);
  const float t2 = t * t;
  float sum = powers[8];
  for (int i = 7; i > 0; --i) sum = std::fma(sum, t2, powers[i]);
  float turn = std::fma(t, powers[0], t * (t2 * sum));
  if (ay > ax) turn = 0.25f - turn;
  if (x < 0) turn = 0.5f - turn;
  if (y < 0) turn = 1.0f - turn;
  return turn < 1 ? turn : 0.0f;
}

}  // namespace sfumato
