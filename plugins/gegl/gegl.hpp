// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL's headers after Khronos' own, which keeps out the older copy of OpenCL's that they bring.
#pragma once

#include "device/opencl.hpp"

// One of GEGL's headers needs a macro that newer OpenCL headers no longer have.
#ifndef CL_EXT_SUFFIX__VERSION_1_1
#define CL_EXT_SUFFIX__VERSION_1_1
#endif

#include <gegl-plugin.h>
