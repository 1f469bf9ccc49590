// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Bilateral filter: a weighted mean over a window, by closeness in position and in colour.
//
// DISTANCE selects the colour distance, HAS_ALPHA whether samples are weighted by alpha. Colours
// are pre-multiplied by `scale` = sqrt(log2(e) / 2) / range_sigma (times sqrt(3) for the colour
// distance of gray), so that a weight is 2 to the (log2 of the position's weight - squared
// distance). LATTICE sums only samples at even picture coordinates, each for four, plus a quarter
// of the pixel itself if it is not one of them.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"

#define DISTANCE_COLOR 0
#define DISTANCE_CHANNEL 1
#define DISTANCE_LUMINANCE 2
#ifndef DISTANCE
#define DISTANCE DISTANCE_COLOR
#endif
#ifndef HAS_ALPHA
#define HAS_ALPHA 0
#endif
// The scaled colour of samples left out (those outside with BORDER_RENORMALISE, and non-finite
// ones): far from everything, but with a finite square.
#define FAR_AWAY 1e18f

// Whether a pixel's colour can be compared; otherwise the pixel stays unchanged.
inline bool is_sound(pixel p) {
#if CHANNELS == 4
  return all(isfinite(p.xyz));
#else
  return isfinite(p);
#endif
}

// Weights stop well above the smallest normal number, and higher still where they are multiplied by
// others: many processors are a hundred times slower on denormal numbers.
#ifdef PASS_FAST
#define LEAST_POWER (-40.0f)
#else
#define LEAST_POWER (-110.0f)
#endif
#ifdef FORM_CPU
#include "shared/powers_of_two.clh"
#endif
#ifdef PASS_FAST
#include "bilateral/fast.clh"
#elif defined(FORM_CPU)
#include "bilateral/cpu.clh"
#else
#include "bilateral/gpu.clh"
#endif
