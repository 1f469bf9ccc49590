// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Drivers are loaded first in a child process that may die, and those that kill it are left out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/driver_files.hpp"
#include "device/driver_trial.hpp"

namespace sfumato {

/// What is known of one driver.
struct DriverVerdict {
  DriverFile driver;
  Message fault;       ///< why it is left out; empty: it is good
  bool fresh = false;  ///< found out just now, not remembered

  /// Whether it takes its process along, and is not only missing.
  bool ends_programs() const;

  /// "the OpenCL driver x.icd is left out: it crashes while it is loaded"
  Message sentence() const;
};

/// A verdict on each of `drivers`, from the cache folder where it knows this version of the driver,
/// else from a child process that loads it and asks for its devices. A fault is forgotten when the
/// driver, the linker's cache or the process's limits change, and after a month. Never throws but
/// std::bad_alloc: a driver that cannot be tried counts as good.
std::vector<DriverVerdict> judge_drivers(const std::vector<DriverFile>& drivers,
                                         const ProbeOptions& options);

/// The same without trying any: nothing where a driver is not known.
std::optional<std::vector<DriverVerdict>> known_verdicts(const std::vector<DriverFile>& drivers,
                                                         const std::filesystem::path& cache_folder);

/// Makes this process's OpenCL see only the good drivers, by the environment: for the start of a
/// program, before its first thread and first OpenCL call. Links to the .icd files are kept in the
/// cache folder.
void leave_out_bad_drivers(const std::vector<DriverVerdict>& verdicts,
                           const std::filesystem::path& cache_folder);

/// Makes this process's OpenCL see no drivers; likewise.
void leave_out_all_drivers();

}  // namespace sfumato
