// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The disk space that compiled programs may take.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sfumato {

/// The default limit: room for several versions of all filters' programs.
constexpr std::uint64_t usual_cache_limit = std::uint64_t{512} << 20;

/// Total bytes of the compiled programs in a cache folder. Tuning tables and self-test results are
/// small and do not count.
std::uint64_t cached_program_bytes(const std::filesystem::path& cache_folder);

/// The limit is stored in the folder, so that all programs share it.
std::uint64_t cache_limit(const std::filesystem::path& cache_folder);
bool set_cache_limit(const std::filesystem::path& cache_folder, std::uint64_t bytes);

/// Removes the least recently used programs until the rest fit in `bytes`; 0 removes all. A program
/// removed while in use is only recompiled at the next start.
void trim_cached_programs(const std::filesystem::path& cache_folder, std::uint64_t bytes);

}  // namespace sfumato
