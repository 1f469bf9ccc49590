// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// À-trous wavelet: a window of 5 x 5 samples whose spacing grows from level to level.
#include "shared/plane.clh"
#include "shared/pixel.clh"
#include "shared/vectors.clh"
#include "shared/cross/cross.clh"
