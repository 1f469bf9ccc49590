// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Where the program's own files are that it loads while it runs.
#pragma once

#include <filesystem>
#include <vector>

namespace sfumato {

/// Folders that may hold them, best first: beside what this code is linked into (a program or a
/// host's plug-in), in lib/sfumato (or the architecture's) near it, where a user installs plug-ins,
/// and where the package installs them. They need not exist.
std::vector<std::filesystem::path> part_folders();

}  // namespace sfumato
