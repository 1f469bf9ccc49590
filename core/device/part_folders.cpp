// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/part_folders.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

namespace sfumato {

namespace fs = std::filesystem;

std::vector<fs::path> part_folders() {
  std::vector<fs::path> folders;
  const auto add_near = [&folders](const fs::path& folder) {
    folders.push_back(folder);
    folders.push_back(folder / ".." / "lib" / "sfumato");
    folders.push_back(folder / ".." / ".." / "lib" / "sfumato");
#ifdef SFUMATO_LIBDIR
    // Packages of Debian have a folder for each architecture, also where they are only unpacked.
    folders.push_back(folder / ".." / SFUMATO_LIBDIR / "sfumato");
    folders.push_back(folder / ".." / ".." / SFUMATO_LIBDIR / "sfumato");
#endif
  };
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&part_folders), &here) != 0 &&
      here.dli_fname != nullptr && here.dli_fname[0] == '/') {
    add_near(fs::path(here.dli_fname).parent_path());
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) add_near(program.parent_path());
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folders.push_back(fs::path(home) / ".local" / "lib" / "sfumato");
  }
#ifdef SFUMATO_PARTS_FOLDER
  folders.emplace_back(SFUMATO_PARTS_FOLDER);
#endif
  return folders;
}

}  // namespace sfumato
