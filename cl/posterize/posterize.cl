// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The nearest of evenly spaced levels. LUMINANCE: that of a pixel's luminance, applied to all three
// colours.
#define POINT_ARGUMENTS , float2 steps
#define POINT(v) posterized(v, steps.x, steps.y)

#include "shared/vectors.clh"

// Every operation is explicit, so that no device contracts another one, and levels agree with the
// reference.
inline float16 nearest_level(float16 v, float count, float inverse) {
  const float16 level = floor(fma(v, (float16)(count), (float16)(0.5f)));
  const float16 quotient = level * inverse;
  const float16 residual = fma(-quotient, (float16)(count), level);
  return select(fma(residual, (float16)(inverse), quotient), quotient, isinf(quotient));
}

#if defined(CHANNELS) && CHANNELS == 1
#define posterized nearest_level  // gray: there is one channel
#else
inline float16 posterized(float16 v, float count, float inverse) {
#ifdef LUMINANCE
  const float16 red = REDS(float16, v), green = GREENS(float16, v);
  const float16 blue = BLUES(float16, v);
  const float16 y =
      fma((float16)(0.0722f), blue, fma((float16)(0.7152f), green, red * 0.2126f));
  const float16 changed = v + (nearest_level(y, count, inverse) - y);
#else
  const float16 changed = nearest_level(v, count, inverse);
#endif
  return select(changed, v, ALPHA_LANES(int16));
}
#endif

#include "shared/point_pass.clh"
