// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/driver.hpp"

#include "device/opencl_driver.hpp"

namespace sfumato {

std::unique_ptr<Driver> open_driver(const DeviceInfo& info,
                                    const std::filesystem::path& cache_folder) {
  return info.open ? info.open(info) : open_opencl_driver(info, cache_folder);
}

}  // namespace sfumato
