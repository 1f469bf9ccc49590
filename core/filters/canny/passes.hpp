// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny's passes on a device; the kernels are those of canny.cl.
#pragma once

#include "filters/canny/settings.hpp"

namespace sfumato {

/// Launches the passes that compute one tile. Throws DeviceError or Cancelled.
void run_canny(const CannySettings& settings, const TileJob& job, Passes& passes);

}  // namespace sfumato
