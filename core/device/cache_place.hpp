// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder for compiled kernels where the user's cache folder cannot be used.
#pragma once

#include "text/message.hpp"

namespace sfumato {

struct CachePlace {
  bool is_there = true;  ///< there is a folder: the user's or a substitute
  Message sentence;      ///< for the user; empty: nothing to report
};

/// Checks that the user's cache folder is writable, and PoCL's folder in it too, which must also
/// allow execution. If not, sets XDG_CACHE_HOME and POCL_CACHE_DIR to a folder in XDG_RUNTIME_DIR,
/// if that is private, or else to a temporary folder that is removed with this process. Call it at
/// program start, before the first thread and the first OpenCL call.
CachePlace give_cache_folder();

}  // namespace sfumato
