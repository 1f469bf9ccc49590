// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much room compiled programs may take on disk.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sfumato {

/// What holds until the user says otherwise: some versions of all filters' programs.
constexpr std::uint64_t usual_cache_limit = std::uint64_t{512} << 20;

/// Compiled programs in a folder of caches, in bytes. What the tuner measured, and which devices
/// passed their test, is small and does not count.
std::uint64_t cached_program_bytes(const std::filesystem::path& cache_folder);

/// The limit lies in the folder, so that all programs keep the same one.
std::uint64_t cache_limit(const std::filesystem::path& cache_folder);
bool set_cache_limit(const std::filesystem::path& cache_folder, std::uint64_t bytes);

/// Removes programs that were not used for longest until `bytes` hold the others; 0 removes all. A
/// program that is in use meanwhile is only compiled again at the next start.
void trim_cached_programs(const std::filesystem::path& cache_folder, std::uint64_t bytes);

}  // namespace sfumato
