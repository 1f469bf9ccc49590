// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The ICD loader libOpenCL.so.1, which is opened at the first call, so that programs start without.
#pragma once

#include <string>

namespace sfumato {

/// The file whose functions are called: the loader's, or that of a library which is preloaded in
/// its place. Empty if there is none. Loads no driver.
std::string opencl_library();

/// Whether a function of OpenCL was called. Drivers may have to clear up at exit then.
bool opencl_was_called();

}  // namespace sfumato
