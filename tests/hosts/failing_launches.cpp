// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Preloaded into a program: its OpenCL device is lost during the work that follows the appearance
// of the file SFUMATO_TEST_LOST. One more kernel is launched, then none.
#include <CL/cl.h>
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

extern "C" cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const std::size_t* offset,
                                         const std::size_t* global, const std::size_t* local,
                                         cl_uint waits, const cl_event* wait_for, cl_event* event) {
  using Launch = decltype(&clEnqueueNDRangeKernel);
  // The program, too, opens the library for itself alone.
  static void* const library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  static const auto launch = reinterpret_cast<Launch>(::dlsym(library, "clEnqueueNDRangeKernel"));
  static const char* const sign = std::getenv("SFUMATO_TEST_LOST");
  static std::atomic<int> left = 1;
  if (sign != nullptr && ::access(sign, F_OK) == 0 && left-- <= 0) return CL_DEVICE_NOT_AVAILABLE;
  return launch(queue, kernel, dimensions, offset, global, local, waits, wait_for, event);
}
