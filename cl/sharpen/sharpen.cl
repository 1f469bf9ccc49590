// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A 3 x 3 matrix that enhances a pixel's difference from its neighbours.
#include "shared/convolution/convolution.clh"
#include "shared/fourier.clh"
