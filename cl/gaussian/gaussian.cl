// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Gaussian blur by every method.
#include "shared/gaussian/gaussian.clh"
#include "shared/fourier.clh"
