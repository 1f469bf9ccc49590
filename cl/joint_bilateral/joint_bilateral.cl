// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Joint bilateral filter: a window weighted by other pictures than the averaged one.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"
#include "shared/cross/cross.clh"
