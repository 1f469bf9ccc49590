// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Where the worker's program is.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "host/client.hpp"

namespace sfumato::hosts {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "sfumato-worker";

bool is_program(const fs::path& path) {
  return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path);
}

fs::path on_the_path() {
  const char* all = std::getenv("PATH");
  std::string_view left = all != nullptr ? all : "";
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(':'), left.size());
    const fs::path folder(left.substr(0, end));
    if (folder.is_absolute() && is_program(folder / program_name)) return folder / program_name;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return {};
}

// The folder of the program or library that this code is linked into.
fs::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&find_worker), &info) == 0) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error).parent_path();
}

}  // namespace

fs::path find_worker() {
  if (const char* named = std::getenv("SFUMATO_WORKER"); named != nullptr && *named != '\0') {
    return is_program(named) ? fs::path(named) : fs::path();
  }
  const fs::path own = own_folder();
  std::vector<fs::path> folders{own, own / ".." / "bin"};
  // Below the installation prefix, even if it was moved since.
  constexpr int deepest = 6;
  fs::path above = own;
  for (int i = 0; i < deepest && above.has_relative_path(); ++i) {
    above = above.parent_path();
    folders.push_back(above / SFUMATO_LIBEXEC);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folders.push_back(fs::path(home) / ".local/lib/sfumato");
  }
  folders.emplace_back(SFUMATO_PREFIX "/" SFUMATO_LIBEXEC);
  for (const fs::path& folder : folders) {
    if (is_program(folder / program_name)) return folder / program_name;
  }
  return on_the_path();
}

}  // namespace sfumato::hosts
