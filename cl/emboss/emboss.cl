// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slope of the brightness, as relief.
#include "shared/convolution/convolution.clh"
#include "shared/fourier.clh"
