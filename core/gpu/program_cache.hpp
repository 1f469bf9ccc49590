// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Compiled programs, kept in memory and on disk, so that a filter compiles once per driver.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "gpu/device.hpp"
#include "gpu/kernel_source.hpp"

namespace sfumato {

/// The folder for cached programs and device tests: $XDG_CACHE_HOME/sfumato, else
/// ~/.cache/sfumato; empty where neither is known, which means: keep nothing on disk.
std::filesystem::path default_cache_folder();

/// Programs of one device and context. An entry on disk holds its whole key (device, driver,
/// options, source) before the binary and a checksum behind it; one that does not match, is
/// damaged, or that the driver refuses, is compiled anew and replaced. Entries appear by rename,
/// so two sessions may write at once. Not thread-safe: one per session.
class ProgramCache {
 public:
  ProgramCache(cl::Context context, const DeviceInfo& device, const std::filesystem::path& folder);

  /// The kernel `name` of `source` built with `options`; the object is shared by later calls.
  /// Throws DeviceError with the compiler's first lines if it does not build.
  cl::Kernel& kernel(const kernels::Source& source, const std::string& options,
                     const std::string& name);

  /// How many programs were compiled, and how many came from disk.
  int compiled() const { return compiled_; }
  int loaded() const { return loaded_; }

 private:
  cl::Program build(const kernels::Source& source, const std::string& options);
  cl::Program compile(const kernels::Source& source, const std::string& options);
  void store(const cl::Program& program, const std::filesystem::path& file,
             const std::string& key) const;

  cl::Context context_;
  cl::Device device_;
  std::string identity_;
  std::filesystem::path folder_;
  std::map<std::string, cl::Program, std::less<>> programs_;
  std::map<std::string, cl::Kernel, std::less<>> kernels_;
  int compiled_ = 0, loaded_ = 0;
};

/// FNV-1a, 64 bits: names files and checks them against damage (not against malice: the folder is
/// the user's own).
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325ull);

/// Writes a file whole or not at all, by way of a temporary beside it; false where it cannot.
bool write_file_atomically(const std::filesystem::path& file, std::string_view content);

/// The content of a file, or nothing.
bool read_file(const std::filesystem::path& file, std::string& content);

}  // namespace sfumato
