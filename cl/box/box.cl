// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Box blur: the boxes of the Gaussian's method `boxes`, with a freely chosen width.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#ifdef FORM_CPU
#include "shared/lanes_cpu.clh"
#include "shared/gaussian/cpu.clh"
#include "shared/gaussian/boxes_cpu.clh"
#include "shared/gaussian/box_samples_cpu.clh"
#endif
#include "shared/gaussian/boxes.clh"
