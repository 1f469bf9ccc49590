// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Processors that the scheduler gives to this process.
#include "image/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "image/control_group.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

std::atomic<unsigned> limit{0};

// Machines may have more processors than a cpu_set_t has bits.
unsigned processors_of_affinity() {
  for (int all = 1024; all <= 1 << 20; all *= 4) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
        CPU_ALLOC(static_cast<std::size_t>(all)), [](cpu_set_t* given) { CPU_FREE(given); });
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(all));
    if (set && ::sched_getaffinity(0, bytes, set.get()) == 0) {
      return static_cast<unsigned>(CPU_COUNT_S(bytes, set.get()));
    }
  }
  return std::thread::hardware_concurrency();
}

// "max" is not a number and means no limit; so does -1.
std::optional<double> share(std::istream& quota, std::istream& period) {
  double granted = 0, of = 0;
  if (!(quota >> granted) || !(period >> of) || granted <= 0 || of <= 0) return std::nullopt;
  return granted / of;
}

std::optional<double> share_of(const ControlGroup& group, const fs::path& folder) {
  if (group.unified) {
    std::ifstream both(folder / "cpu.max");  // quota and period, in microseconds
    return share(both, both);
  }
  std::ifstream quota(folder / "cpu.cfs_quota_us"), period(folder / "cpu.cfs_period_us");
  return share(quota, period);
}

}  // namespace

unsigned processors_of_control_group(const fs::path& groups, const fs::path& mounted) {
  std::optional<double> least;
  for (const ControlGroup& group : control_groups("cpu", groups, mounted)) {
    for (const fs::path& folder : group.folders) {
      const auto granted = share_of(group, folder);
      if (granted && (!least || *granted < *least)) least = granted;
    }
  }
  return least ? static_cast<unsigned>(std::ceil(std::min(*least, 1e6))) : 0;
}

unsigned usable_processors() {
  const unsigned granted = processors_of_control_group();
  const unsigned all = std::max(1u, processors_of_affinity());
  return granted > 0 ? std::min(all, granted) : all;
}

unsigned compute_threads() {
  // Groups and affinity seldom change while a program runs, and reading them takes a while.
  static const unsigned usable = usable_processors();
  const unsigned most = limit;
  return most > 0 ? std::min(most, usable) : usable;
}

void limit_compute_threads(unsigned most) {
  limit = most;
}

}  // namespace sfumato
