// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder for compiled kernels where the user's cache folder cannot be used.
#pragma once

#include <string>

namespace sfumato {

/// Looks whether the user's cache folder can be written to, and PoCL's in it, which also has to run
/// what it keeps; where not, names another by XDG_CACHE_HOME and POCL_CACHE_DIR: one in
/// XDG_RUNTIME_DIR, else a temporary one, which goes with this process. Returns one sentence that
/// says so, or nothing. For the start of a program, before its first thread and first OpenCL call.
std::string give_cache_folder();

}  // namespace sfumato
