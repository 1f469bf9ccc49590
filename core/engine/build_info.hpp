// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What `--version` says: the version, the commit, and the libraries a program was built with.
#pragma once

#include <string>
#include <string_view>

namespace sfumato {

/// What only the programs know. Defined in the library sfumato-build-info, a file of its own, so
/// that a new commit compiles nothing else.
struct BuildInfo {
  std::string_view commit;          ///< empty: not known
  std::string_view file_libraries;  ///< "OpenImageIO 2.4.7.1, LittleCMS 2.14"; empty: none
};
BuildInfo build_info();

/// "PROGRAM VERSION", then lines on the commit and the libraries. `more` names further libraries
/// with their versions, such as "Qt 6.4.2". Loads no driver and no file module.
std::string version_text(std::string_view program, const BuildInfo& build,
                         std::string_view more = {});

}  // namespace sfumato
