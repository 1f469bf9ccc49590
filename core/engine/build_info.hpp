// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The text of `--version`: version, commit, and the libraries that a program was built with.
#pragma once

#include <string>
#include <string_view>

namespace sfumato {

/// What differs between builds. Defined in a library of its own, sfumato-build-info, so that a new
/// commit recompiles nothing else.
struct BuildInfo {
  std::string_view commit;          ///< empty if unknown
  std::string_view file_libraries;  ///< "OpenImageIO 2.4.7.1, LittleCMS 2.14"; empty: none
};
BuildInfo build_info();

/// "PROGRAM VERSION", followed by lines with the commit and the libraries. `more` names further
/// libraries with their versions, such as "Qt 6.4.2". Loads no driver and no file module.
std::string version_text(std::string_view program, const BuildInfo& build,
                         std::string_view more = {});

}  // namespace sfumato
