// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Turns hue (in whole turns) and scales saturation and value.
#include "shared/color_components.clh"

#define POINT_ARGUMENTS , float4 change
#define POINT(v) changed(v, change)

inline float16 changed(float16 v, float4 change) {
#if CHANNELS == 1
  return v * change.z;
#else
  Colors c = hsv_of(colors_of(v));
  c.r += change.x;
  const float4 most = select((float4)(1.0f), c.g, c.g > 1.0f), wanted = c.g * change.y;
  c.g = select(wanted, most, most < wanted);
  c.b *= change.z;
  return pixels_of(rgb_of_hsv(c));
#endif
}

#include "shared/point_pass.clh"
