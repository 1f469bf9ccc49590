// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Morphology: the largest of the neighbours in a square, a disk or a diamond. Samples are compared
// as integer keys in the order of their values, or in reverse, so that the largest key is that of
// the smallest sample. HAS_ALPHA: pixels of alpha 0 are left out and stay unchanged.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"
#include "morphology/keys.clh"
#ifdef FORM_CPU
#include "shared/lanes_cpu.clh"
#include "morphology/cpu.clh"
#else
#include "morphology/gpu.clh"
#endif
