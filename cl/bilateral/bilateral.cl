// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Bilateral filter: averages over a window, weighted by nearness in place and in colour.
//
// DISTANCE chooses the colour distance, HAS_ALPHA whether samples weigh by their alpha. Colours
// come multiplied by `scale` = sqrt(log2(e) / 2) / range_sigma (times sqrt(3) for the colour
// distance of gray), so that a weight is 2 to the (log2 of the place's weight - distance squared).
// LATTICE sums only samples at even picture coordinates, each for four, and a quarter of the pixel
// itself where it is not one of them.
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
// The colour, after scaling, of what is left out (outside with BORDER_RENORMALISE, and what is not
// a finite number): far from everything, its square still finite.
#define FAR_AWAY 1e18f

// Whether a pixel's colour can be compared; where it cannot, it stays as it is.
inline bool is_sound(pixel p) {
#if CHANNELS == 4
  return all(isfinite(p.xyz));
#else
  return isfinite(p);
#endif
}

// Weights end well above the smallest normal number, the more so where they are multiplied by
// others: with denormal numbers many processors compute a hundred times slower.
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
