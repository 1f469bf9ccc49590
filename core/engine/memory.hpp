// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The main memory available to this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace sfumato {

/// The smallest memory limit of this process's control group and its ancestors, in bytes; nullopt
/// if there is none. Reads groups of version 2 ("memory.max") and version 1
/// ("memory.limit_in_bytes"). `groups` lists the process's groups, `mounted` is where they are
/// mounted. Inside a container the names may be those outside of it; the topmost visible group
/// counts then.
std::optional<std::size_t> memory_of_control_group(
    const std::filesystem::path& groups = "/proc/self/cgroup",
    const std::filesystem::path& mounted = "/sys/fs/cgroup");

/// Bytes of main memory that this process may use: the machine's, or less if limited by its control
/// group (a container, a systemd unit, a Slurm job) or by ulimit.
std::size_t usable_memory();

/// Bytes of main memory that programs may still take before others are swapped out, or less if the
/// control group has less left; 0 if unknown. Counts as if this process were alone in its group.
std::size_t free_memory();

/// The remainder after programs and libraries take `programs` bytes, but at least half of it.
std::size_t memory_beside(std::size_t programs);

}  // namespace sfumato
