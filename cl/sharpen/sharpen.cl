// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A matrix of 3 x 3 that adds what the neighbours lack.
#include "shared/convolution/convolution.clh"
#include "shared/fourier.clh"
