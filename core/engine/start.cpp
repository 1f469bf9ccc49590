// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The start of a program, in the order that its steps need.
#include "engine/start.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

#include <optional>
#include <thread>
#include <utility>

#include "engine/memory.hpp"
#include "gpu/cache_place.hpp"
#include "gpu/driver_probe.hpp"
#include "gpu/program_cache.hpp"

namespace sfumato {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Measured with PoCL 3.1 and LLVM 14, which take most: at the first filter that they compile.
// Address space grows with the threads: a stack, and what the C library sets aside for each.
constexpr std::size_t address_space = 1536 * mebibyte, address_space_of_thread = 136 * mebibyte;
constexpr std::size_t data = 640 * mebibyte, data_of_thread = 10 * mebibyte;
constexpr std::size_t resident = 448 * mebibyte;
// Enough for all but compilers of kernels, which do not run there.
constexpr std::size_t sparing_stack = mebibyte;

constexpr char no_folder[] = "there is no folder for compiled kernels";

bool limit_of(int resource, std::size_t& bytes) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return false;
  if (limit.rlim_cur == RLIM_INFINITY) return false;
  bytes = static_cast<std::size_t>(limit.rlim_cur);
  return true;
}

}  // namespace

MemoryRoom memory_for_drivers(unsigned processors) {
  MemoryRoom narrowest{usable_memory(), resident};
  // By what is missing, or is left over.
  const auto take = [&narrowest](const MemoryRoom& room) {
    const auto spare = [](const MemoryRoom& of) {
      return static_cast<double>(of.may_take) - static_cast<double>(of.needed);
    };
    if (spare(room) < spare(narrowest)) narrowest = room;
  };
  std::size_t bytes = 0;
  if (limit_of(RLIMIT_AS, bytes)) {
    take({bytes, address_space + processors * address_space_of_thread});
  }
  if (limit_of(RLIMIT_DATA, bytes)) take({bytes, data + processors * data_of_thread});
  return narrowest;
}

namespace {

// Where there is too little memory for any driver.
std::optional<std::string> fault_of_memory() {
  const MemoryRoom room = memory_for_drivers(std::thread::hardware_concurrency());
  if (room.may_take >= room.needed) return std::nullopt;
  return "OpenCL is not used: its drivers need some " + std::to_string(room.needed / mebibyte) +
         " MB of memory, and this program may take " + std::to_string(room.may_take / mebibyte) +
         " MB";
}

}  // namespace

std::vector<std::string> faults_of_opencl(const std::filesystem::path& helper,
                                          const std::filesystem::path& cache_folder) {
  if (const auto fault = fault_of_memory()) return {*fault};
  if (helper.empty()) return {};
  ProbeOptions options;
  options.program = helper;
  options.cache_folder = cache_folder;
  std::vector<std::string> faults;
  for (const DriverVerdict& one : judge_drivers(list_driver_files(), options)) {
    // A library that is missing harms nobody.
    if (one.ends_programs()) {
      faults.push_back("OpenCL is not used: the driver " + one.driver.name() +
                       " would end this program (" + one.fault +
                       "); name the others in OCL_ICD_VENDORS");
    }
  }
  return faults;
}

Start start_opencl(const std::function<bool()>& cancelled) {
  Start start;
  if (auto fault = fault_of_memory()) {
    leave_out_all_drivers();
    start.sentences.push_back(std::move(*fault));
    return start;
  }
  const CachePlace place = give_cache_folder();
  if (!place.sentence.empty()) start.sentences.push_back(place.sentence);
  ProbeOptions options;
  options.cache_folder = default_cache_folder();
  options.cancelled = cancelled;
  std::vector<DriverVerdict> verdicts = judge_drivers(list_driver_files(), options);
  for (DriverVerdict& one : verdicts) {
    // It would compute what it once compiled, and fail at the rest.
    const bool pocl = one.driver.library.find("pocl") != std::string::npos;
    if (pocl && one.fault.empty() && !place.is_there) {
      one.fault = no_folder;
      one.fresh = false;
    }
  }
  leave_out_bad_drivers(verdicts, options.cache_folder);
  bool any_good = false;
  for (const DriverVerdict& one : verdicts) any_good |= one.fault.empty();
  for (const DriverVerdict& one : verdicts) {
    if (one.fault.empty()) continue;
    start.left_out.push_back(one.sentence());
    // Known faults are not told again where they cost nothing.
    if (one.fault != no_folder && (one.fresh || !any_good))
      start.sentences.push_back(one.sentence());
  }
  return start;
}

void begin_program(int argc, char** argv) {
  std::size_t bytes = 0;
  if (limit_of(RLIMIT_AS, bytes)) {
    ::mallopt(M_ARENA_MAX, 1);
    pthread_attr_t usual;
    std::size_t stack = 0;
    if (::pthread_getattr_default_np(&usual) == 0) {
      if (::pthread_attr_getstacksize(&usual, &stack) == 0 && stack > sparing_stack &&
          bytes < address_space) {
        ::pthread_attr_setstacksize(&usual, sparing_stack);
        ::pthread_setattr_default_np(&usual);
      }
      ::pthread_attr_destroy(&usual);
    }
  }
  probe_if_asked(argc, argv);
}

}  // namespace sfumato
