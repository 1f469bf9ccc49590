// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Median: the exact middle value of a window. Numbers are compared as integer keys in the same
// order, and the median key is found bit by bit from the highest one, among the samples that can
// still be it. For that, a picture is laid out in bit planes: neighbours in a row share a word.
//
// LUMINANCE: ranks whole pixels by luminance. HAS_ALPHA: pixels of alpha 0 are left out and stay
// unchanged. ORDERED_FLOATS: fmin and fmax treat -0 as less than 0, and cost half as much as for
// integers.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"
#include "median/keys.clh"
#if defined(PASS_MEDIUM) || defined(PASS_PLANES) || defined(PASS_BITS)
#include "median/left_over.clh"
#endif

#define ONE_ITEM __attribute__((reqd_work_group_size(1, 1, 1)))

#ifdef FORM_CPU
#include "median/load_cpu.clh"
#endif

#if defined(PASS_SMALL) || defined(PASS_MEDIUM)
#ifdef FORM_CPU
#include "median/small_keys_cpu.clh"
#else
#include "median/small_keys_gpu.clh"
#endif
#include "median/networks.clh"
#include "median/gather.clh"
#endif
#ifdef PASS_SMALL
#ifdef FORM_CPU
#include "median/small_cpu.clh"
#else
#include "median/small_gpu.clh"
#endif
#endif
#ifdef PASS_MEDIUM
#include "median/runs.clh"
#ifdef FORM_CPU
#include "median/medium_cpu.clh"
#else
#include "median/medium_gpu.clh"
#endif
#endif
#ifdef PASS_PLANES
#include "median/planes.clh"
#endif
#ifdef PASS_BITS
#ifdef FORM_CPU
#include "median/bits_cpu.clh"
#else
#include "median/bits_gpu.clh"
#endif
#endif
#ifdef PASS_TILES
#ifdef FORM_CPU
#include "median/tiles_cpu.clh"
#else
#include "median/tiles_gpu.clh"
#endif
#endif
