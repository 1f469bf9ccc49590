// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Devices that an OpenCL driver offers.
#pragma once

#include "device/driver.hpp"

namespace sfumato {

/// Throws DeviceError. As open_driver(), for a device with a handle.
std::unique_ptr<Driver> open_opencl_driver(const DeviceInfo& info,
                                           const std::filesystem::path& cache_folder);

}  // namespace sfumato
