// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Gaussian blur, every method.
#include "gaussian.clh"
#include "fourier.clh"
