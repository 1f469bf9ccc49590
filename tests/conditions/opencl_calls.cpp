// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Calls OpenCL in a few ways, first on several threads at once, and prints the answers.
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <thread>

#include "device/device.hpp"
#include "device/opencl_loader.hpp"

int main() {
  std::array<cl_int, 8> flushed{};
  {
    std::array<std::jthread, flushed.size()> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      threads[i] = std::jthread([&flushed, i] { flushed[i] = clFlush(nullptr); });
    }
  }
  const bool all_same =
      std::all_of(flushed.begin(), flushed.end(), [&](cl_int one) { return one == flushed[0]; });
  cl_uint count = 0;
  const cl_int platforms = clGetPlatformIDs(0, nullptr, &count);
  cl_int status = CL_SUCCESS;
  // What is missing also leaves those alone who ask for no status.
  const bool made = clCreateBuffer(nullptr, 0, 1, nullptr, &status) != nullptr ||
                    clCreateBuffer(nullptr, 0, 1, nullptr, nullptr) != nullptr;
  const bool addressed = clGetExtensionFunctionAddressForPlatform(nullptr, "clNone") != nullptr;
  std::cout << "platforms " << platforms << ", devices " << sfumato::list_opencl_devices().size()
            << ", flush " << (all_same ? std::to_string(flushed[0]) : "differs") << ", buffer "
            << (made ? "made " : "") << status << ", address " << (addressed ? "found" : "none")
            << "\n"
            << sfumato::opencl_library() << "\n";
}
