// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The library changes no environment and forks no process of its host: a separate program tries the
// drivers, and if one is bad, none is loaded.
#include "abi/drivers.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "device/program_cache.hpp"
#include "engine/start.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// Searched as hosts do (plugins/host/process.cpp): named by a variable, beside this library, or
// installed.
fs::path helper() {
  if (const char* named = std::getenv("SFUMATO_WORKER"); named != nullptr && *named != '\0') {
    return is_program(named) ? fs::path(named) : fs::path();
  }
  std::vector<fs::path> folders;
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&keep_from_bad_drivers), &here) != 0 &&
      here.dli_fname != nullptr) {
    std::error_code error;
    fs::path above = fs::canonical(here.dli_fname, error).parent_path();
    // If the library's real path is unknown, relative folders must not be searched.
    if (!above.empty()) folders.push_back(above / ".." / "bin");
    constexpr int deepest = 4;
    for (int i = 0; i < deepest && above.has_relative_path(); ++i) {
      above = above.parent_path();
      folders.push_back(above / SFUMATO_LIBEXEC);
    }
  }
  folders.emplace_back(SFUMATO_PREFIX "/" SFUMATO_LIBEXEC);
  for (const fs::path& folder : folders) {
    if (is_program(folder / "sfumato-worker")) return folder / "sfumato-worker";
  }
  return {};
}

}  // namespace

void keep_from_bad_drivers(SessionOptions& options) {
  const char* named = std::getenv("SFUMATO_DEVICE");
  const std::string_view request = !options.device.empty() ? options.device
                                   : named != nullptr      ? std::string_view(named)
                                                           : std::string_view();
  if (request == "reference") return;
  const fs::path cache = options.cache_folder ? *options.cache_folder : default_cache_folder();
  options.notes = faults_of_opencl(helper(), cache);
  if (!options.notes.empty()) options.device = "reference";
}

}  // namespace sfumato
