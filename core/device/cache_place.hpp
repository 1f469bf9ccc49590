// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder for compiled kernels where the user's cache folder cannot be used.
#pragma once

#include "text/message.hpp"

namespace sfumato {

struct CachePlace {
  bool is_there = true;  ///< there is a folder: the user's, or one that stands in for it
  Message sentence;      ///< what is to be told; empty: nothing
};

/// Looks whether the user's cache folder can be written to, and PoCL's in it, which also has to run
/// what it keeps; where not, names another by XDG_CACHE_HOME and POCL_CACHE_DIR: one in
/// XDG_RUNTIME_DIR, where that is the user's alone, else a temporary one, which goes with this
/// process. For the start of a program, before its first thread and first OpenCL call.
CachePlace give_cache_folder();

}  // namespace sfumato
