// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL's headers behind Khronos' own: of OpenCL's they bring an older copy, which then stays out.
#pragma once

#include "device/opencl.hpp"

// One of those that do come in wants a macro that newer headers have no more.
#ifndef CL_EXT_SUFFIX__VERSION_1_1
#define CL_EXT_SUFFIX__VERSION_1_1
#endif

#include <gegl-plugin.h>
