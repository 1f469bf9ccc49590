// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Read from proc(5).
#include "io/decoder/process_memory.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>

namespace sfumato::decoder {

std::size_t data_in_use(long process) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%ld/statm", process);
  unsigned long pages = 0;
  if (FILE* file = std::fopen(path.data(), "re")) {
    if (std::fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sfumato::decoder
