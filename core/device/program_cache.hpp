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

namespace cl {
class Context;
class Kernel;
}  // namespace cl

namespace sfumato {

/// The folder for cached programs and device tests: $XDG_CACHE_HOME/sfumato, else ~/.cache/sfumato.
/// Empty, meaning that nothing is kept on disk, if neither variable is set or the home folder does
/// not exist.
std::filesystem::path default_cache_folder();

/// Programs of one device and context, kept in memory, and on disk unless the driver does that. An
/// entry on disk holds its whole key (device, driver, options, source), the binary and a checksum.
/// An entry that does not match, is damaged, or is rejected by the driver is recompiled and
/// replaced. Entries are put in place by rename, so sessions may write concurrently. Not
/// thread-safe: one per session.
class ProgramCache {
 public:
  ProgramCache(const cl::Context& context, const DeviceInfo& device,
               const std::filesystem::path& folder);
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// The kernel `name` of `source` built with `options`; later calls share the object. Throws
  /// DeviceError with the compiler's first lines if the build fails.
  cl::Kernel& kernel(const kernels::Source& source, const std::string& options,
                     const std::string& name);

  /// Number of programs compiled, and number loaded from disk.
  int compiled() const;
  int loaded() const;

 private:
  struct Programs;  ///< the driver's side: built programs and their kernels
  const std::unique_ptr<Programs> programs_;
};

/// FNV-1a, 64 bits: names files and detects damage (not malice: the folder belongs to the user).
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325ull);

}  // namespace sfumato
