// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The program cache in memory and on disk.
#include "device/program_cache.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "device/cache_limit.hpp"
#include "device/files.hpp"
#include "device/opencl.hpp"

namespace sfumato {
namespace {

constexpr std::string_view magic = "sfumato program 1\n";

std::string hex(std::uint64_t value) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

void append_number(std::string& out, std::uint64_t value) {
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

// Layout: magic, key length, binary length, key, binary, FNV-1a of everything before.
std::string pack(const std::string& key, std::string_view binary) {
  std::string out(magic);
  append_number(out, key.size());
  append_number(out, binary.size());
  out += key;
  out += binary;
  append_number(out, fnv1a(out));
  return out;
}

// The binary of an intact entry with this key; false otherwise.
bool unpack(std::string_view file, const std::string& key, std::string_view& binary) {
  const std::size_t head = magic.size() + 16;
  if (file.size() < head + 8 || file.substr(0, magic.size()) != magic) return false;
  const std::uint64_t key_size = number_at(file, magic.size());
  const std::uint64_t binary_size = number_at(file, magic.size() + 8);
  const std::uint64_t room = file.size() - head - 8;
  if (key_size != key.size() || key_size > room || binary_size != room - key_size) return false;
  if (file.substr(head, key.size()) != key) return false;
  if (number_at(file, file.size() - 8) != fnv1a(file.substr(0, file.size() - 8))) return false;
  binary = file.substr(head + key.size(), static_cast<std::size_t>(binary_size));
  return true;
}

}  // namespace

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  }
  return hash;
}

std::filesystem::path default_cache_folder() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') {
    return std::filesystem::path(xdg) / "sfumato";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return {};
  // The home folder is never created: a missing one may be mounted later.
  std::error_code error;
  const auto found = std::filesystem::status(home, error).type();
  if (found == std::filesystem::file_type::not_found) return {};
  return std::filesystem::path(home) / ".cache" / "sfumato";
}

struct ProgramCache::Programs {
  cl::Context context;
  cl::Device device;
  std::string identity;
  std::filesystem::path folder;
  std::map<std::string, cl::Program, std::less<>> built;
  std::map<std::string, cl::Kernel, std::less<>> kernels;
  int compiled = 0, loaded = 0;

  cl::Program build(const kernels::Source& source, const std::string& options);
  cl::Program compile(const kernels::Source& source, const std::string& options);
  void store(const cl::Program& program, const std::filesystem::path& file,
             const std::string& key) const;
};

ProgramCache::ProgramCache(const cl::Context& context, const DeviceInfo& device,
                           const std::filesystem::path& folder)
    : programs_(new Programs{context,
                             cl::Device(device.handle, true),
                             device.identity(),
                             folder.empty() || device.keeps_kernels ? "" : folder / "programs",
                             {},
                             {}}) {}

ProgramCache::~ProgramCache() = default;

int ProgramCache::compiled() const {
  return programs_->compiled;
}
int ProgramCache::loaded() const {
  return programs_->loaded;
}

cl::Kernel& ProgramCache::kernel(const kernels::Source& source, const std::string& options,
                                 const std::string& name) {
  const std::string program_key = std::string(source.name) + '\n' + options;
  const std::string kernel_key = program_key + '\n' + name;
  if (const auto found = programs_->kernels.find(kernel_key); found != programs_->kernels.end())
    return found->second;
  auto program = programs_->built.find(program_key);
  if (program == programs_->built.end()) {
    program = programs_->built.emplace(program_key, programs_->build(source, options)).first;
  }
  try {
    return programs_->kernels.emplace(kernel_key, cl::Kernel(program->second, name.c_str()))
        .first->second;
  } catch (const cl::Error& e) {
    throw DeviceError(e.err(),
                      message({"opencl.no_kernel", "{source}.cl: no kernel {kernel} ({status})"},
                              std::string(source.name), name, status_name(e.err())));
  }
}

cl::Program ProgramCache::Programs::build(const kernels::Source& source,
                                          const std::string& options) {
  if (folder.empty()) return compile(source, options);
  const std::string key = identity + '\n' + options + '\n' + std::string(source.text());
  const std::filesystem::path file =
      folder / (std::string(source.name) + "-" + hex(fnv1a(key)) + ".bin");
  std::string content;
  std::string_view binary;
  if (read_file(file, content) && unpack(content, key, binary)) {
    try {
      const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
      cl::Program program(context, {device}, cl::Program::Binaries{{bytes, bytes + binary.size()}});
      program.build({device}, options.c_str());
      ++loaded;
      std::error_code error;  // renews the date: eviction starts with the oldest
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), error);
      return program;
    } catch (const cl::Error&) {
      // the driver rejects its own binary: compile again
    }
  }
  cl::Program program = compile(source, options);
  store(program, file, key);
  return program;
}

cl::Program ProgramCache::Programs::compile(const kernels::Source& source,
                                            const std::string& options) {
  try {
    cl::Program program(context, std::string(source.text()));
    try {
      // Without -w some drivers print warnings to the user's terminal.
      program.build({device}, ("-w " + options).c_str());
    } catch (const cl::Error& e) {
      std::string log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
      if (log.size() > 2000) log.resize(2000);
      throw DeviceError(e.err(), message({"opencl.does_not_build",
                                          "{source}.cl does not build with \"{options}\": {log}"},
                                         std::string(source.name), options, log));
    }
    ++compiled;
    return program;
  } catch (const cl::Error& e) {
    throw DeviceError(e.err(), message({"opencl.program_failed", "{source}.cl: {status}"},
                                       std::string(source.name), status_name(e.err())));
  }
}

void ProgramCache::Programs::store(const cl::Program& program, const std::filesystem::path& file,
                                   const std::string& key) const {
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.size() != 1 || binaries[0].empty()) return;
    const auto& bytes = binaries[0];
    write_file_atomically(file,
                          pack(key, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    const std::filesystem::path cache_folder = folder.parent_path();
    trim_cached_programs(cache_folder, cache_limit(cache_folder));
  } catch (const cl::Error&) {
    // without a binary the program is simply compiled again next time
  }
}

}  // namespace sfumato
