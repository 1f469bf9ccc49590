// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Box blur: the boxes of the Gaussian's method `boxes`, with a width of their own.
#include "plane.clh"
#include "pixel.clh"
#ifdef FORM_CPU
#include "lanes_cpu.clh"
#include "gaussian_cpu.clh"
#include "gaussian_boxes_cpu.clh"
#endif
#include "gaussian_boxes.clh"
