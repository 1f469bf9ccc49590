// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A misbehaving OpenCL driver, built once per MISDEED.
#include <CL/cl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Misdeed {
  aborts = 1,
  crashes,
  exits,
  hangs,
  exits_on_load,
  aborts_at_exit,
  hangs_at_exit,
  chatters
};

[[maybe_unused]] volatile int* volatile nowhere = nullptr;

void misbehave() {
  if (MISDEED == crashes) *nowhere = 1;
  if (MISDEED == exits) std::exit(0);
  while (MISDEED == hangs) ::pause();
}

__attribute__((constructor)) void on_load() {
  if (MISDEED == aborts) std::abort();
  if (MISDEED == exits_on_load) std::exit(0);
  if (MISDEED == chatters) std::puts("a driver's chatter");
}

__attribute__((destructor)) void at_exit() {
  if (MISDEED == aborts_at_exit) std::abort();
  while (MISDEED == hangs_at_exit) ::pause();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) cl_int clIcdGetPlatformIDsKHR(cl_uint,
                                                                                cl_platform_id*,
                                                                                cl_uint* count) {
  misbehave();
  if (count != nullptr) *count = 0;
  return -1001;  // CL_PLATFORM_NOT_FOUND_KHR
}

// Without this function the loader does not accept the library as a driver.
extern "C" __attribute__((visibility("default"))) cl_int clGetPlatformInfo(cl_platform_id,
                                                                           cl_platform_info,
                                                                           std::size_t, void*,
                                                                           std::size_t*) {
  return CL_INVALID_PLATFORM;
}

extern "C" __attribute__((visibility("default"))) void* clGetExtensionFunctionAddress(
    const char* name) {
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") != 0) return nullptr;
  return reinterpret_cast<void*>(&clIcdGetPlatformIDsKHR);
}
