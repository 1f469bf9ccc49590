// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Joint bilateral: a window weighted by other pictures than the one that is averaged.
#include "plane.clh"
#include "pixel.clh"
#include "vectors.clh"
#include "cross.clh"
