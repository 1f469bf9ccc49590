// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a program of ours sees to before it uses OpenCL: memory, a cache folder, sound drivers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "text/message.hpp"

namespace sfumato {

/// What came of it, one sentence each.
struct Start {
  std::vector<Message> sentences;  ///< to be told
  std::vector<Message> left_out;   ///< each driver that is left out, told before or not
  bool no_driver = false;          ///< there is none to be tried, which a sentence tells
  bool too_little_memory = false;  ///< for any driver; likewise
};

/// Bytes that this process may take in all: by its limits, its control group and the machine; and
/// what OpenCL's drivers and compilers take of each.
struct MemoryRoom {
  std::size_t may_take = 0, needed = 0;
};
/// The narrowest, for a machine of so many processors.
MemoryRoom memory_for_drivers(unsigned processors);

/// Leaves drivers out that end a process, and all where there is too little memory for any; gives
/// compiled kernels a folder and a linker. Changes the environment: before the program's first
/// thread and its first OpenCL call. `cancelled` is asked while drivers are tried, and `tell` is
/// given a sentence when one takes long. Programs that run on SFUMATO_DEVICE=reference need none of
/// it. Never throws but std::bad_alloc.
Start start_opencl(const std::function<bool()>& cancelled = {},
                   const std::function<void(const Message&)>& tell = {});

/// The same from what is known, for what has to be fast: no driver is tried. False where one is not
/// known or memory is too little; no OpenCL call may follow. Never throws but std::bad_alloc.
bool start_opencl_as_known();

/// For a library in another's program, whose environment and threads are not ours: why OpenCL is
/// not to be loaded there, one sentence each; none: it may be. `helper` is a program that calls
/// begin_program(); empty: drivers are not tried. Never throws but std::bad_alloc.
std::vector<Message> faults_of_opencl(const std::filesystem::path& helper,
                                      const std::filesystem::path& cache_folder);

/// The first line of main in every program that calls start_opencl(): tries a driver and ends,
/// where that is what the program was started for; takes address space sparingly where it is
/// limited; and lets children be waited for.
void begin_program(int argc, char** argv);

}  // namespace sfumato
