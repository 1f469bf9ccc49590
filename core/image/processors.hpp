// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How many threads compute.
#pragma once

#include <filesystem>

namespace sfumato {

/// The most threads that can be asked for.
inline constexpr unsigned most_threads = 1024;

/// The processors that this process may use: those of its affinity, as far as its control group
/// grants their time. At least 1.
unsigned usable_processors();

/// The processors whose time the process's control groups grant it, rounded up; 0: no limit. For
/// `groups` and `mounted` see control_groups().
unsigned processors_of_control_group(const std::filesystem::path& groups = "/proc/self/cgroup",
                                     const std::filesystem::path& mounted = "/sys/fs/cgroup");

/// The number of threads that compute: usable_processors(), or the limit if that is less.
unsigned compute_threads();
/// Sets the limit for this process, before anything is computed; 0: none.
void limit_compute_threads(unsigned most);

}  // namespace sfumato
