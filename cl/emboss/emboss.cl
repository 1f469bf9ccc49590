// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slope of the brightness, as relief.
#include "convolution.clh"
#include "fourier.clh"
