// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/free_descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>

namespace sfumato {

bool has_free_descriptors(int count) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
  for (rlim_t number = 0; number < limit.rlim_cur && count > 0; ++number) {
    if (::fcntl(static_cast<int>(number), F_GETFD) < 0) --count;
  }
  return count <= 0;
}

std::unique_lock<std::mutex> turn_at_scarce_descriptors() {
  constexpr int plenty = 128;
  static std::mutex mutex;
  if (has_free_descriptors(plenty)) return {};
  return std::unique_lock(mutex);
}

}  // namespace sfumato
