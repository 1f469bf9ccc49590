// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Compiled programs, kept in memory and on disk, so that a filter compiles once per driver.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "device/device.hpp"
#include "device/kernel_source.hpp"

namespace sfumato {

/// The folder for cached programs and device tests: $XDG_CACHE_HOME/sfumato, else
/// ~/.cache/sfumato; empty where neither is known, or there is no such home: keep nothing on disk.
std::filesystem::path default_cache_folder();

/// Programs of one device and context. An entry on disk holds its whole key (device, driver,
/// options, source) before the binary and a checksum behind it; one that does not match, is
/// damaged, or that the driver refuses, is recompiled and replaced. Entries appear by rename,
/// so two sessions may write at once. Not thread-safe: one per session.
class ProgramCache {
 public:
  ProgramCache(const cl::Context& context, const DeviceInfo& device,
               const std::filesystem::path& folder);
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// The kernel `name` of `source` built with `options`; the object is shared by later calls.
  /// Throws DeviceError with the compiler's first lines if it does not build.
  cl::Kernel& kernel(const kernels::Source& source, const std::string& options,
                     const std::string& name);

  /// How many programs were compiled, and how many came from disk.
  int compiled() const;
  int loaded() const;

 private:
  struct Programs;  ///< the driver's side: built programs and their kernels
  const std::unique_ptr<Programs> programs_;
};

/// FNV-1a, 64 bits: names files and checks them against damage (not against malice: the folder is
/// the user's own).
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325ull);

}  // namespace sfumato
