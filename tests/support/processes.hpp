// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Processes that a test started indirectly.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace sfumato::testing {

/// The numbers of the processes whose parent is `parent`, without those that have ended.
inline std::set<int> children_of(int parent) {
  std::set<int> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    std::string line;
    if (!std::getline(stat, line)) continue;
    char state = 0;
    int of = 0;
    // The name, in brackets, may hold anything.
    if (std::sscanf(line.c_str() + line.rfind(')') + 1, " %c %d", &state, &of) == 2 &&
        of == parent && state != 'Z') {
      out.insert(std::atoi(line.c_str()));
    }
  }
  return out;
}

}  // namespace sfumato::testing
