// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Any matrix of weights.
#include "shared/convolution/convolution.clh"
#include "shared/fourier.clh"
