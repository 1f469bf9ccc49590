// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much main memory there is for us.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace sfumato {

/// The least that this process's control group, and those above it, allow it of main memory, in
/// bytes; nullopt: they set no limit. Reads the groups of version 2 ("memory.max") and of version 1
/// ("memory.limit_in_bytes"). `groups` names the process's ones, `mounted` is where all of them
/// lie. Inside a container, groups' names may be those outside of it: then what it sees as the
/// uppermost one counts.
std::optional<std::size_t> memory_of_control_group(
    const std::filesystem::path& groups = "/proc/self/cgroup",
    const std::filesystem::path& mounted = "/sys/fs/cgroup");

/// Bytes of main memory that this process may use: the machine's, or less where its control group
/// allows less, as in a container, a systemd unit or a Slurm job, or its own limits do (ulimit).
std::size_t usable_memory();

/// What is left of it where programs and libraries take so much: half of it at least.
std::size_t memory_beside(std::size_t programs);

}  // namespace sfumato
