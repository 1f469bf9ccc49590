// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Box blur: the boxes of the Gaussian's method `boxes`, with a freely chosen width.
#include "shared/gaussian/gaussian.clh"
