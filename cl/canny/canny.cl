// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny's edge detector in integers, so that every device finds the same edges. Each PASS_* defined
// by the host adds its kernels; FORM_CPU selects their form.
//
// Gray values count in units of 1 / 262140 of each colour's full scale, of which all 8-bit and
// 16-bit values are whole multiples; with NARROW in units of 8-bit samples. MISSING: some pixels do
// not exist, because they are transparent or outside; they are represented by NO_GRAY.
//
// Edges are found and linked in blocks of 2 x 2 pixels, one byte each: bits 0 to 3 are the pixels
// that may be edges (upper left, upper right, lower left, lower right), bits 4 to 7 the strong
// ones.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"
#include "shared/exact_arithmetic.clh"

#define ONE_ITEM __attribute__((reqd_work_group_size(1, 1, 1)))

#ifdef NARROW
typedef short gray_t;
typedef int strength_t;  // a squared gradient
#define NO_GRAY ((short)-32768)
#else
typedef int gray_t;
typedef long strength_t;
#define NO_GRAY ((int)0x80000000)
#endif

#if defined(PASS_GRAY) || defined(PASS_SMOOTH)
#include "canny/samples.clh"
#endif
#if defined(PASS_GRAY) || defined(PASS_BLUR)
#include "canny/gray.clh"
#endif
#ifdef PASS_SMOOTH
#include "canny/smooth_gpu.clh"
#endif
#if defined(PASS_THIN) || defined(PASS_SHOW)
#include "canny/gradient.clh"
#endif
#ifdef PASS_THIN
#ifdef FORM_CPU
#include "canny/thin_cpu.clh"
#else
#include "canny/thin_gpu.clh"
#endif
#endif
#ifdef PASS_SHOW
#include "canny/show.clh"
#endif
#ifdef PASS_LINK
#include "canny/link.clh"
#ifdef FORM_CPU
#include "canny/link_cpu.clh"
#else
#include "canny/link_gpu.clh"
#endif
#endif
#ifdef PASS_PAINT
#include "canny/paint.clh"
#endif
