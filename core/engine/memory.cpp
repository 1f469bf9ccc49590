// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The machine's memory, and what Linux control groups leave of it.
#include "engine/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "image/control_group.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// "max" is not a number and means no limit.
std::optional<std::size_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t bytes = 0;
  if (!(in >> bytes)) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

}  // namespace

std::optional<std::size_t> memory_of_control_group(const fs::path& groups,
                                                   const fs::path& mounted) {
  std::optional<std::size_t> least;
  for (const ControlGroup& group : control_groups("memory", groups, mounted)) {
    const char* file = group.unified ? "memory.max" : "memory.limit_in_bytes";
    for (const fs::path& folder : group.folders) {
      const auto limit = number_in(folder / file);
      if (limit && (!least || *limit < *least)) least = limit;
    }
  }
  return least;
}

std::size_t usable_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  std::size_t all = pages > 0 && page > 0
                        ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                        : std::size_t{4} << 30;
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
      all = std::min(all, static_cast<std::size_t>(limit.rlim_cur));
    }
  }
  return std::min(all, memory_of_control_group().value_or(all));
}

namespace {

// What this program may still take if it is alone in its control group; the largest number if there
// is no limit.
std::size_t free_of_control_group() {
  const auto limit = memory_of_control_group();
  if (!limit) return std::numeric_limits<std::size_t>::max();
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  const std::size_t taken = resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return *limit > taken ? *limit - taken : 1;
}

}  // namespace

std::size_t free_memory() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name; lines >> name;) {
    std::size_t kilobytes = 0;
    if (name == "MemAvailable:" && lines >> kilobytes) {
      return std::min(kilobytes << 10, free_of_control_group());
    }
    lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

std::size_t memory_beside(std::size_t programs) {
  const std::size_t usable = usable_memory();
  return usable - std::min(usable / 2, programs);
}

}  // namespace sfumato
