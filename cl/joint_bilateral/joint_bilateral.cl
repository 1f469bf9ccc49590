// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Joint bilateral: a window weighted by other pictures than the one that is averaged.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"
#include "shared/cross/cross.clh"
