// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The folders in which Linux says what a control group may take.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sfumato {

/// A hierarchy that has this process in it, with one folder for its group and each group above.
struct ControlGroup {
  bool unified = false;  ///< version 2, with all controllers in one hierarchy
  std::vector<std::filesystem::path> folders;
};

/// The hierarchies that may limit `controller` ("memory", "cpu"). `groups` is the file that lists
/// the groups of the process, and `mounted` where they are mounted. Empty without control groups.
std::vector<ControlGroup> control_groups(const std::string& controller,
                                         const std::filesystem::path& groups = "/proc/self/cgroup",
                                         const std::filesystem::path& mounted = "/sys/fs/cgroup");

}  // namespace sfumato
