// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on the device, through VkFFT.
#pragma once

#include "gpu/device.hpp"

namespace sfumato {

class FftCache {
 public:
  FftCache(cl::Context context, const DeviceInfo& device, cl::CommandQueue queue)
      : context_(context), device_(device), queue_(queue) {}

 private:
  cl::Context context_;
  DeviceInfo device_;
  cl::CommandQueue queue_;
};

}  // namespace sfumato
