// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/built_in.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

#include "device/descriptor.hpp"
#include "device/files.hpp"
#include "device/native_driver.hpp"
#include "device/part_folders.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// What packaging/native_kernels.py puts at the end of an object. The number of bytes before it is a
// multiple of eight.
struct Trailer {
  std::array<char, 8> mark;
  std::uint64_t bytes, sum;
};
constexpr std::string_view mark = "sfumato1";

// FNV-1a on words of eight bytes. The machine that runs the object has them as the object has.
class SumOfWords {
 public:
  void add(const char* from, std::size_t bytes) {
    for (std::size_t at = 0; at + sizeof sum_ <= bytes; at += sizeof sum_) {
      std::uint64_t word = 0;
      std::memcpy(&word, from + at, sizeof word);
      sum_ = (sum_ ^ word) * 0x100000001b3;
    }
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

// Reads exactly as much; false if the file ends before, or cannot be read.
bool read_exactly(int file, char* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = ::read(file, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// "model name : AMD EPYC", where the system says it.
std::string processor_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "processor";
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> sets;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto has = [](auto... ones) { return (ones && ...); };
  const bool v2 = has(__builtin_cpu_supports("ssse3"), __builtin_cpu_supports("sse4.1"),
                      __builtin_cpu_supports("sse4.2"), __builtin_cpu_supports("popcnt"));
  // Every processor with AVX2 that was made has F16C, LZCNT and MOVBE, too.
  const bool v3 = v2 && has(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"),
                            __builtin_cpu_supports("bmi"), __builtin_cpu_supports("bmi2"));
  const bool v4 = v3 && has(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"),
                            __builtin_cpu_supports("avx512cd"), __builtin_cpu_supports("avx512dq"),
                            __builtin_cpu_supports("avx512vl"));
  if (v4) sets.emplace_back("x86-64-v4");
  if (v3) sets.emplace_back("x86-64-v3");
  if (v2) sets.emplace_back("x86-64-v2");
#elif defined(__aarch64__)
  sets.emplace_back("armv8-a");
#endif
  return sets;
}

std::string native_object_name(const std::string& set) {
  return "kernels-" + set + ".so";
}

bool is_whole(const fs::path& object) {
  const Descriptor file(open_ordinary(object));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return false;
  Trailer trailer{};
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size < sizeof trailer || size % sizeof trailer.sum != 0) return false;
  // In pieces: memory that is new costs more than to read again.
  std::array<char, std::size_t{1} << 16> piece{};
  SumOfWords sum;
  std::size_t left = size - sizeof trailer;
  while (left > 0) {
    const std::size_t bytes = std::min(left, piece.size());
    if (!read_exactly(file.get(), piece.data(), bytes)) return false;
    sum.add(piece.data(), bytes);
    left -= bytes;
  }
  return read_exactly(file.get(), reinterpret_cast<char*>(&trailer), sizeof trailer) &&
         std::string_view(trailer.mark.data(), trailer.mark.size()) == mark &&
         trailer.bytes == size - sizeof trailer && trailer.sum == sum.value();
}

BuiltIn find_built_in(std::span<const fs::path> folders, std::span<const std::string> sets) {
  BuiltIn found;
  if (sets.empty()) {
    found.fault = message({"native.old_processor",
                           "this processor is older than those that the built-in device is made "
                           "for"});
  }
  const auto keep_first = [&found](Message fault) {
    if (found.fault.empty()) found.fault = std::move(fault);
  };
  for (const std::string& set : sets) {
    const std::string name = native_object_name(set);
    std::error_code error;
    const auto folder = std::find_if(folders.begin(), folders.end(), [&](const fs::path& one) {
      return fs::exists(one / name, error);
    });
    if (folder == folders.end()) {
      keep_first(message({"native.missing", "the built-in device lacks its file {file}"}, name));
      continue;
    }
    const fs::path object = *folder / name;
    if (!is_whole(object)) {
      keep_first(message({"native.damaged", "a file of the built-in device is damaged: {file}"},
                         object.string()));
      continue;
    }
    try {
      found.device = native_device(std::make_shared<const NativeKernels>(object));
      found.device->name = processor_name();
      found.device->version = set;
      return found;
    } catch (const DeviceError& e) {
      keep_first(e.message());
    }
  }
  return found;
}

namespace {

BuiltIn find_own() {
#ifdef SFUMATO_HAS_BUILT_IN
  const char* wanted = std::getenv("SFUMATO_BUILT_IN");
  if (wanted == nullptr || std::string_view(wanted) != "0") {
    return find_built_in(part_folders(), instruction_sets());
  }
#endif
  return {};
}

}  // namespace

const BuiltIn& built_in() {
  // Never destroyed: sessions may end after it would.
  static const auto* own = new BuiltIn(find_own());
  return *own;
}

}  // namespace sfumato
