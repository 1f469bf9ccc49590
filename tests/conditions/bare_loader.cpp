// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A libOpenCL.so.1 that has one function: it names a platform of which nothing can be asked.
#include <CL/cl.h>

extern "C" __attribute__((visibility("default"))) cl_int clGetPlatformIDs(cl_uint room,
                                                                          cl_platform_id* platforms,
                                                                          cl_uint* count) {
  static char platform = 0;
  if (count != nullptr) *count = 1;
  if (platforms != nullptr && room > 0) *platforms = reinterpret_cast<cl_platform_id>(&platform);
  return CL_SUCCESS;
}
