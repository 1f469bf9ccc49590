// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Program start, in the order that its steps require.
#include "engine/start.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "device/built_in.hpp"
#include "device/cache_place.hpp"
#include "device/driver_probe.hpp"
#include "device/opencl_loader.hpp"
#include "device/program_cache.hpp"
#include "device/stdout_redirect.hpp"
#include "engine/memory.hpp"

namespace sfumato {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Measured with PoCL 3.1 and LLVM 14, the largest users, when compiling their first filter. Address
// space grows with the threads: one stack each, and the C library's arena.
constexpr std::size_t address_space = 1536 * mebibyte, address_space_of_thread = 136 * mebibyte;
constexpr std::size_t data = 640 * mebibyte, data_of_thread = 10 * mebibyte;
constexpr std::size_t resident = 448 * mebibyte;
// Enough for everything except kernel compilers, which do not run there.
constexpr std::size_t sparing_stack = mebibyte;

constexpr char usual_path[] = "/usr/bin:/bin";

// Whether this program can be started again to try a driver.
bool tries_drivers = false;

Message no_folder() {
  return message({"driver.no_folder", "there is no folder for compiled kernels"});
}

bool limit_of(int resource, std::size_t& bytes) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return false;
  if (limit.rlim_cur == RLIM_INFINITY) return false;
  bytes = static_cast<std::size_t>(limit.rlim_cur);
  return true;
}

bool is_limited(int resource, std::size_t below) {
  std::size_t bytes = 0;
  return limit_of(resource, bytes) && bytes < below;
}

}  // namespace

MemoryRoom memory_for_drivers(unsigned processors) {
  MemoryRoom narrowest{usable_memory(), resident};
  // Keeps the room with the least to spare.
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

// The fault if there is too little memory for any driver.
std::optional<Message> fault_of_memory() {
  const MemoryRoom room = memory_for_drivers(std::thread::hardware_concurrency());
  if (room.may_take >= room.needed) return std::nullopt;
  return message({"driver.too_little_memory",
                  "OpenCL is not used: its drivers need some {needed} MB of memory, and this "
                  "program may take {free} MB"},
                 room.needed / mebibyte, room.may_take / mebibyte);
}

bool is_pocl(const DriverFile& driver) {
  return driver.library.find("pocl") != std::string::npos;
}

bool has_linker(std::string_view folders) {
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::string file = std::string(folders.substr(0, end)) + "/ld";
    if (end > 0 && ::access(file.c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

bool has_linker() {
  const char* path = std::getenv("PATH");
  return path != nullptr && has_linker(path);
}

// PoCL looks for ld in PATH and ends the program at its first kernel if there is none. Services and
// menus may start programs without a PATH.
bool give_linker() {
  if (has_linker()) return true;
  if (!has_linker(usual_path)) return false;
  const char* path = std::getenv("PATH");
  const std::string before = path != nullptr && *path != '\0' ? std::string(path) + ":" : "";
  ::setenv("PATH", (before + usual_path).c_str(), 1);
  return true;
}

// It could run cached kernels, but would fail on all others.
void exclude_pocl_without_linker(std::vector<DriverVerdict>& verdicts, bool folder, bool linker) {
  for (DriverVerdict& one : verdicts) {
    if (!is_pocl(one.driver) || !one.fault.empty() || (folder && linker)) continue;
    one.fault = folder
                    ? message({"driver.no_linker", "it needs the linker ld, which is not in PATH"})
                    : no_folder();
    one.fresh = folder;  // a missing folder was already reported
  }
}

}  // namespace

std::vector<Message> faults_of_opencl(const std::filesystem::path& helper,
                                      const std::filesystem::path& cache_folder) {
  if (const auto fault = fault_of_memory()) return {*fault};
  if (helper.empty()) return {};
  ProbeOptions options;
  options.program = helper;
  options.cache_folder = cache_folder;
  std::vector<Message> faults;
  std::vector<DriverVerdict> verdicts = judge_drivers(list_driver_files(), options);
  exclude_pocl_without_linker(verdicts, true, has_linker());
  for (const DriverVerdict& one : verdicts) {
    // A missing library does no harm.
    if (one.ends_programs()) {
      faults.push_back(message({"driver.would_end_program",
                                "OpenCL is not used: the driver {driver} would end this program "
                                "({why}); name the others in OCL_ICD_VENDORS"},
                               one.driver.name(), one.fault));
    }
  }
  return faults;
}

bool may_have_gpu(const std::filesystem::path& devices) {
  if (std::getenv("OCL_ICD_VENDORS") != nullptr || std::getenv("OCL_ICD_FILENAMES") != nullptr) {
    return true;
  }
  // Linux's own drivers, NVIDIA's, AMD's for computing, Windows's, and those of telephones' chips.
  for (const char* name : {"dri", "nvidiactl", "nvidia0", "kfd", "dxg", "mali0", "kgsl-3d0"}) {
    std::error_code error;
    if (std::filesystem::exists(devices / name, error)) return true;
  }
  return false;
}

namespace {

std::string request_of(const StartOptions& options) {
  if (!options.device.empty()) return options.device;
  const char* named = std::getenv("SFUMATO_DEVICE");
  return named != nullptr ? named : "";
}

Start start_opencl(const StartOptions& options);

}  // namespace

bool built_in_fits(std::string_view request) {
  return request == "cpu" || request.empty() || request == "auto";
}

Start start_devices(const StartOptions& options) {
  const std::string request = request_of(options);
  if (request == "reference") {
    set_opencl_aside(true);
    return {};
  }
  const BuiltIn& own = built_in();
  const bool fits = own.device && built_in_fits(request);
  Start start;
  if (fits && !options.any_time && (request == "cpu" || !may_have_gpu())) {
    set_opencl_aside(true);
  } else {
    start = start_opencl(options);
    if (fits && !start.gpus) set_opencl_aside(true);
  }
  if (!own.fault.empty()) start.sentences.insert(start.sentences.begin(), own.fault);
  return start;
}

namespace {

Start start_opencl(const StartOptions& options) {
  Start start;
  if (auto fault = fault_of_memory()) {
    leave_out_all_drivers();
    start.sentences.push_back(std::move(*fault));
    start.too_little_memory = true;
    return start;
  }
  if (opencl_library().empty()) {
    start.no_driver = true;
    start.left_out.push_back(message({"driver.no_loader",
                                      "OpenCL's loader libOpenCL.so.1 is not installed, so no GPU "
                                      "is used; Debian has it in ocl-icd-libopencl1"}));
    if (!built_in().device) start.sentences.push_back(start.left_out.back());
    return start;
  }
  const std::vector<DriverFile> drivers = list_driver_files();
  if (drivers.empty()) {
    start.no_driver = true;
    if (built_in().device) return start;
    start.sentences.push_back(message({"driver.none",
                                       "no OpenCL driver is installed: the built-in reference "
                                       "computes, which is slower; Debian has one in "
                                       "pocl-opencl-icd"}));
    return start;
  }
  const CachePlace place = give_cache_folder();
  if (!place.sentence.empty()) start.sentences.push_back(place.sentence);
  const bool linker = give_linker();
  ProbeOptions probe;
  probe.cache_folder = default_cache_folder();
  probe.cancelled = options.cancelled;
  if (options.tell) {
    probe.takes_long = [&](const DriverFile& driver) {
      options.tell(message({"driver.trying", "trying the OpenCL driver {driver}"}, driver.name()));
    };
  }
  std::vector<DriverVerdict> verdicts = judge_drivers(drivers, probe);
  exclude_pocl_without_linker(verdicts, place.is_there, linker);
  leave_out_bad_drivers(verdicts, probe.cache_folder);
  bool any_good = built_in().device.has_value();
  for (const DriverVerdict& one : verdicts) {
    any_good |= one.fault.empty();
    start.gpus |= one.fault.empty() && one.gpus;
  }
  for (const DriverVerdict& one : verdicts) {
    if (one.fault.empty()) continue;
    start.left_out.push_back(one.sentence());
    // A known fault is not reported again while another driver works.
    if (one.fault != no_folder() && (one.fresh || !any_good))
      start.sentences.push_back(one.sentence());
  }
  return start;
}

}  // namespace

std::vector<DeviceInfo> postponed_devices() {
  if (!is_opencl_aside() || !tries_drivers) return {};
  if (!faults_of_opencl("/proc/self/exe", default_cache_folder()).empty()) return {};
  set_opencl_aside(false);
  std::vector<DeviceInfo> devices = list_devices();
  std::erase_if(devices, [](const DeviceInfo& one) { return one.built_in; });
  return devices;
}

bool start_opencl_as_known() {
  if (fault_of_memory()) return false;
  const CachePlace place = give_cache_folder();
  const bool linker = give_linker();
  const std::filesystem::path folder = default_cache_folder();
  auto verdicts = known_verdicts(list_driver_files(), folder);
  if (!verdicts) return false;
  exclude_pocl_without_linker(*verdicts, place.is_there, linker);
  leave_out_bad_drivers(*verdicts, folder);
  return true;
}

void begin_program(int argc, char** argv) {
  const bool is_narrow = is_limited(RLIMIT_AS, address_space),
             is_poor = is_limited(RLIMIT_DATA, data);
  std::size_t bytes = 0;
  if (limit_of(RLIMIT_AS, bytes)) ::mallopt(M_ARENA_MAX, 1);
  pthread_attr_t usual;
  std::size_t stack = 0;
  if ((is_narrow || is_poor) && ::pthread_getattr_default_np(&usual) == 0) {
    if (::pthread_attr_getstacksize(&usual, &stack) == 0 && stack > sparing_stack) {
      ::pthread_attr_setstacksize(&usual, sparing_stack);
      ::pthread_setattr_default_np(&usual);
    }
    ::pthread_attr_destroy(&usual);
  }
  // The parent may have set it to be ignored, which would hide how children ended.
  std::signal(SIGCHLD, SIG_DFL);
  probe_if_requested(argc, argv);
  tries_drivers = true;
  keep_drivers_off_stdout();
}

}  // namespace sfumato
