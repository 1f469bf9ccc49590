// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Components of colour; FROM and TO are 0 rgb, 1 hsv, 2 hsl, 3 yiq.
#include "shared/color_components.clh"

typedef struct {
  float4 row[3];
} Rows;

#define POINT_ARGUMENTS , Rows to_yiq, Rows from_yiq
#define POINT(v) converted(v, &to_yiq, &from_yiq)

inline float16 converted(float16 v, const Rows* to_yiq, const Rows* from_yiq) {
  Colors c = colors_of(v);
#if FROM == 1
  c = rgb_of_hsv(c);
#elif FROM == 2
  c = rgb_of_hsl(c);
#elif FROM == 3
  c = mixed(c, from_yiq->row[0], from_yiq->row[1], from_yiq->row[2]);
#endif
#if TO == 1
  c = hsv_of(c);
#elif TO == 2
  c = hsl_of(c);
#elif TO == 3
  c = mixed(c, to_yiq->row[0], to_yiq->row[1], to_yiq->row[2]);
#endif
  return pixels_of(c);
}

#include "shared/point_pass.clh"
