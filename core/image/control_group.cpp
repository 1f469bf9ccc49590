// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Linux control groups of this process.
#include "image/control_group.hpp"

#include <algorithm>
#include <fstream>

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// A group and its ancestors, up to the one mounted at `top`.
std::vector<fs::path> folders_from(const fs::path& top, const std::string& group) {
  fs::path below = fs::path(group).relative_path();
  // The process is outside the namespace's groups, whose folders are not visible.
  if (std::find(below.begin(), below.end(), "..") != below.end()) below.clear();
  std::vector<fs::path> folders{top / below};
  for (; !below.empty(); folders.push_back(top / below)) below = below.parent_path();
  return folders;
}

}  // namespace

std::vector<ControlGroup> control_groups(const std::string& controller, const fs::path& groups,
                                         const fs::path& mounted) {
  std::vector<ControlGroup> found;
  std::ifstream in(groups);
  // "0::/group", or "4:cpu,memory:/group".
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      found.push_back({true, folders_from(mounted, group)});
    } else if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) {
      found.push_back({false, folders_from(mounted / controller, group)});
    }
  }
  return found;
}

}  // namespace sfumato
