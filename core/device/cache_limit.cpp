// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The cache evicts by file date; loading a program renews its date.
#include "device/cache_limit.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "device/files.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

struct Entry {
  fs::path file;
  fs::file_time_type used;
  std::uint64_t bytes = 0;
};

std::vector<Entry> entries(const fs::path& cache_folder) {
  std::vector<Entry> found;
  if (cache_folder.empty()) return found;  // nothing is kept on disk
  std::error_code error;
  for (fs::directory_iterator it(cache_folder / "programs", error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;  // another process may be trimming too
    if (!it->is_regular_file(gone) || gone) continue;
    const std::uint64_t bytes = it->file_size(gone);
    if (gone) continue;
    const fs::file_time_type used = it->last_write_time(gone);
    if (!gone) found.push_back({it->path(), used, bytes});
  }
  return found;
}

std::uint64_t sum_of(const std::vector<Entry>& all) {
  std::uint64_t sum = 0;
  for (const Entry& e : all) sum += e.bytes;
  return sum;
}

}  // namespace

std::uint64_t cached_program_bytes(const fs::path& cache_folder) {
  return sum_of(entries(cache_folder));
}

std::uint64_t cache_limit(const fs::path& cache_folder) {
  std::string text;
  std::uint64_t bytes = 0;
  if (cache_folder.empty() || !read_file(cache_folder / "limit", text)) return usual_cache_limit;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return error == std::errc() && bytes > 0 ? bytes : usual_cache_limit;
}

bool set_cache_limit(const fs::path& cache_folder, std::uint64_t bytes) {
  return !cache_folder.empty() &&
         write_file_atomically(cache_folder / "limit", std::to_string(bytes) + '\n');
}

void trim_cached_programs(const fs::path& cache_folder, std::uint64_t bytes) {
  std::vector<Entry> all = entries(cache_folder);
  std::uint64_t sum = sum_of(all);
  if (sum <= bytes) return;
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  // Trims a little more than needed, so that the next program does not trim again.
  const std::uint64_t kept = bytes - bytes / 16;
  for (const Entry& e : all) {
    if (sum <= kept) return;
    std::error_code error;
    if (fs::remove(e.file, error) && !error) sum -= e.bytes;
  }
}

}  // namespace sfumato
