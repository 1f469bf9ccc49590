// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slope of brightness, shown as relief.
#include "shared/convolution/convolution.clh"
#include "shared/fourier.clh"
