// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One driver, loaded in a child process that may die.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "device/driver_files.hpp"
#include "text/message.hpp"

namespace sfumato {

struct ProbeOptions {
  /// The program that tries drivers: it calls probe_if_requested() before anything else.
  std::filesystem::path program = "/proc/self/exe";
  /// Where verdicts are kept; empty: nowhere.
  std::filesystem::path cache_folder;
  /// A driver hangs that takes so long without using a processor, uses one for twice as long, or
  /// takes ten times as long at all.
  std::chrono::milliseconds patience{10000};
  /// Asked many times a second; true ends the probing, and all drivers count as good.
  std::function<bool()> cancelled;
  /// Called once with a driver whose trial takes longer than `silence`. May be empty.
  std::function<void(const DriverFile&)> takes_long;
  std::chrono::milliseconds silence{2000};
};

/// What came of loading a driver and asking it for its devices.
struct DriverTrial {
  Message fault;      ///< why it cannot be used; empty: it is good
  bool lasts = true;  ///< it will be the same next time: it was not ended from outside
};

/// Tries the driver in a child process; nothing where that could not be done, or was cancelled.
/// Never throws but std::bad_alloc.
std::optional<DriverTrial> try_driver(const DriverFile& driver, const ProbeOptions& options);

/// The child's side: where the words ask for a driver to be tried, tries it and ends the process.
/// The first line of every program that calls try_driver().
void probe_if_requested(int argc, char** argv);

}  // namespace sfumato
