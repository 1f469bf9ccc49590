// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Loads one driver in a child process that may die.
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
  /// The program run as the child: it calls probe_if_requested() first of all.
  std::filesystem::path program = "/proc/self/exe";
  /// The folder for verdicts; empty: none.
  std::filesystem::path cache_folder;
  /// A driver hangs if it runs this long without using a processor, uses one for twice as long, or
  /// takes ten times as long in all.
  std::chrono::milliseconds patience{10000};
  /// Polled many times a second; true ends the trials, and all drivers count as good.
  std::function<bool()> cancelled;
  /// Called once with a driver whose trial takes longer than `silence`. May be empty.
  std::function<void(const DriverFile&)> takes_long;
  std::chrono::milliseconds silence{2000};
};

/// The result of loading a driver and listing its devices.
struct DriverTrial {
  Message fault;      ///< why it cannot be used; empty: it is good
  bool lasts = true;  ///< will be the same next time: it was not killed from outside
  bool gpus = false;  ///< whether it is good and has a device that is no processor
};

/// Tries the driver in a child process; nullopt if that was impossible or cancelled. Throws only
/// std::bad_alloc.
std::optional<DriverTrial> try_driver(const DriverFile& driver, const ProbeOptions& options);

/// The child's side: if the arguments request a trial, runs it and exits. The first line of main in
/// every program that calls try_driver().
void probe_if_requested(int argc, char** argv);

}  // namespace sfumato
