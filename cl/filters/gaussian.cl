// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Gaussian blur: each PASS_* defined by the host adds one kernel, FORM_CPU chooses its form.
#include "plane.clh"
#include "pixel.clh"
#ifdef FORM_CPU
#include "lanes_cpu.clh"
#include "gaussian_cpu.clh"
#include "gaussian_wide_cpu.clh"
#include "gaussian_boxes_cpu.clh"
#else
#include "gaussian_gpu.clh"
#include "gaussian_wide_gpu.clh"
#endif
#include "gaussian_fft.clh"
#include "gaussian_boxes.clh"
#include "gaussian_bilinear.clh"
