// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What our programs do before they use OpenCL: check memory, find a cache folder, exclude bad
// drivers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "text/message.hpp"

namespace sfumato {

/// The outcome, one sentence each.
struct Start {
  std::vector<Message> sentences;  ///< for the user
  std::vector<Message> left_out;   ///< every driver left out, reported before or not
  bool no_driver = false;          ///< no driver could be tried, as a sentence says
  bool too_little_memory = false;  ///< for any driver, as a sentence says
};

/// Total bytes that this process may take by its limits, its control group and the machine, and the
/// bytes of each that OpenCL's drivers and compilers need.
struct MemoryRoom {
  std::size_t may_take = 0, needed = 0;
};
/// The tightest of these, on a machine with this many processors.
MemoryRoom memory_for_drivers(unsigned processors);

/// Leaves out drivers that end a process, or all drivers if memory is too short, and gives compiled
/// kernels a folder and a linker. Changes the environment: call it before the program's first
/// thread and first OpenCL call. `cancelled` is polled while drivers are tried; `tell` receives a
/// sentence when one takes long. Programs that run on SFUMATO_DEVICE=reference need none of this.
/// Throws only std::bad_alloc.
Start start_opencl(const std::function<bool()>& cancelled = {},
                   const std::function<void(const Message&)>& tell = {});

/// The same from remembered results, without trying any driver, for programs that must start fast.
/// False if a driver is unknown or memory is too short; no OpenCL call may follow then. Throws only
/// std::bad_alloc.
bool start_opencl_as_known();

/// For a library in someone else's program, whose environment and threads are not ours: the reasons
/// not to load OpenCL there, one sentence each; empty if it may be loaded. `helper` is a program
/// that calls begin_program(); empty: drivers are not tried. Throws only std::bad_alloc.
std::vector<Message> faults_of_opencl(const std::filesystem::path& helper,
                                      const std::filesystem::path& cache_folder);

/// The first line of main in every program that calls start_opencl(). Tries a driver and exits, if
/// the program was started for that; saves address space where it is limited; and makes children
/// waitable.
void begin_program(int argc, char** argv);

}  // namespace sfumato
