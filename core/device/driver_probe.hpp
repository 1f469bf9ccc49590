// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Loads drivers in a child process first, so that those that kill it can be left out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/driver_files.hpp"
#include "device/driver_trial.hpp"

namespace sfumato {

/// What is known about one driver.
struct DriverVerdict {
  DriverFile driver;
  Message fault;       ///< why it is left out; empty: it is good
  bool fresh = false;  ///< found just now, not remembered
  bool gpus = true;    ///< may have a device that is no processor

  /// Whether the driver kills its process, rather than only being unusable.
  bool ends_programs() const;

  /// "the OpenCL driver x.icd is left out: it crashes while it is loaded"
  Message sentence() const;
};

/// A verdict on each of `drivers`: from the cache folder if it knows this version of the driver,
/// else from a child process that loads it and lists its devices. A fault is forgotten when the
/// driver, the linker's cache or the process's limits change, and after a month. A driver that
/// cannot be tried counts as good. Throws only std::bad_alloc.
std::vector<DriverVerdict> judge_drivers(const std::vector<DriverFile>& drivers,
                                         const ProbeOptions& options);

/// The same without trying any driver: nullopt if one is unknown.
std::optional<std::vector<DriverVerdict>> known_verdicts(const std::vector<DriverFile>& drivers,
                                                         const std::filesystem::path& cache_folder);

/// Restricts this process's OpenCL to the good drivers through the environment. Call it at program
/// start, before the first thread and the first OpenCL call. Links to the .icd files are kept in
/// the cache folder.
void leave_out_bad_drivers(const std::vector<DriverVerdict>& verdicts,
                           const std::filesystem::path& cache_folder);

/// Hides all drivers from this process's OpenCL; to be called as early.
void leave_out_all_drivers();

}  // namespace sfumato
