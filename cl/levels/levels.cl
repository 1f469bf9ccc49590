// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Input range, gamma, output range.
#include "shared/selected_channels.clh"
#include "shared/tone_curves.clh"

typedef struct {
  float black, per_range, exponent, unused;
  float output_black, output_range, none[2];
} Range4;

#define POINT_ARGUMENTS , Range4 range
#define POINT(v) leveled(v, range)

inline float16 leveled(float16 v, Range4 range) {
  float16 t = (v - range.black) * range.per_range;
#ifdef GAMMA
  t = tone_gamma(t, range.exponent);
#endif
  return in_channels(v, range.output_black + range.output_range * t);
}

#include "shared/point_pass.clh"
