// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny's definition in scalar code.
#pragma once

#include "filters/canny/settings.hpp"

namespace sfumato {

/// Computes one tile. Throws Cancelled.
void canny_reference(const CannySettings& settings, const ReferenceJob& job);

}  // namespace sfumato
