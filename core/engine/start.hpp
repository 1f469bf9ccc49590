// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What our programs do before they use devices: decide whether OpenCL is needed, check memory, find
// a cache folder, exclude bad drivers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "text/message.hpp"

namespace sfumato {

/// The outcome, one sentence each.
struct Start {
  std::vector<Message> sentences;  ///< for the user
  std::vector<Message> left_out;   ///< every driver left out, reported before or not
  bool gpus = false;               ///< a driver may have one
  bool no_driver = false;          ///< no driver is installed
  bool too_little_memory = false;  ///< for any driver, as a sentence says
};

/// Total bytes that this process may take by its limits, its control group and the machine, and the
/// bytes of each that OpenCL's drivers and compilers need.
struct MemoryRoom {
  std::size_t may_take = 0, needed = 0;
};
/// The tightest of these, on a machine with this many processors.
MemoryRoom memory_for_drivers(unsigned processors);

struct StartOptions {
  std::string device;     ///< as for choose_devices(); empty: that of SFUMATO_DEVICE, or "auto"
  bool any_time = false;  ///< the user may list devices, or choose another, while the program runs
  std::function<bool()> cancelled = {};  ///< polled while drivers are tried
  /// Receives a sentence when one takes long.
  std::function<void(const Message&)> tell = {};
};

/// Sets OpenCL aside if the built-in device will do: the user asks for no other, and the machine
/// shows no GPU, or no driver has one. Else leaves out drivers that end a process, or all drivers
/// if memory is too short, and gives compiled kernels a folder and a linker. Changes the
/// environment: call it before the program's first thread and first OpenCL call. Throws only
/// std::bad_alloc.
Start start_devices(const StartOptions& options = {});

/// Whether a request is for a device of any make, so that the built-in one fits.
bool built_in_fits(std::string_view request);

/// Whether the machine shows anything that may be a GPU, or the user names OpenCL's drivers.
bool may_have_gpu(const std::filesystem::path& devices = "/dev");

/// The devices of OpenCL if it was set aside and its drivers can be trusted: what comes after the
/// built-in device if that fails. Any thread. Throws only std::bad_alloc.
std::vector<DeviceInfo> postponed_devices();

/// The same from remembered results, without trying any driver, for programs that must start fast.
/// False if a driver is unknown or memory is too short; no OpenCL call may follow then. Throws only
/// std::bad_alloc.
bool start_opencl_as_known();

/// For a library in someone else's program, whose environment and threads are not ours: the reasons
/// not to load OpenCL there, one sentence each; empty if it may be loaded. `helper` is a program
/// that calls begin_program(); empty: drivers are not tried. Throws only std::bad_alloc.
std::vector<Message> faults_of_opencl(const std::filesystem::path& helper,
                                      const std::filesystem::path& cache_folder);

/// The first line of main in every program that calls start_devices(). Tries a driver and exits, if
/// the program was started for that; saves address space where it is limited; and makes children
/// waitable.
void begin_program(int argc, char** argv);

}  // namespace sfumato
