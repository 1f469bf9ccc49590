// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/stand_ins.hpp"

#include <dlfcn.h>

#include <atomic>
#include <system_error>

namespace sfumato::files {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> stands_in = false;

// By whatever else in this program.
bool is_loaded(const fs::path& library) {
  void* const handle = ::dlopen(library.filename().c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

}  // namespace

void use_stand_ins() {
  stands_in = true;
}

StandIns::StandIns(const fs::path& folder) {
  if (!stands_in) return;
  std::error_code error;
  // Each is named as the library that it stands for, which the loader does not load then.
  for (fs::directory_iterator file(folder, error); !error && file != end(file);
       file.increment(error)) {
    std::error_code none;
    if (!file->is_regular_file(none) || is_loaded(file->path())) continue;
    if (void* handle = ::dlopen(file->path().c_str(), RTLD_NOW | RTLD_LOCAL)) {
      loaded_.push_back(handle);
    }
  }
}

StandIns::~StandIns() {
  for (void* handle : loaded_) ::dlclose(handle);
}

}  // namespace sfumato::files
