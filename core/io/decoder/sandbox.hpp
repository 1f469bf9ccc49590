// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a process gives up before it reads the first byte of a file of unknown origin.
#pragma once

#include <cstddef>

namespace sfumato::decoder {

/// Whether the kernel took everything away.
struct Confinement {
  bool calls = false;  ///< seccomp: calls other than those that decoding needs end the process
  bool files = false;  ///< Landlock: no path leads anywhere (kernels from 5.13)
};

/// Cannot be undone, and holds for all threads that are started later. From here on the process
/// reads the descriptors that it has, allocates memory and starts threads; it opens no file, makes
/// no socket and starts no program. Call it while there is one thread.
Confinement confine() noexcept;

/// The same for a program that takes this process's place (execve(2)), as far as programs of others
/// can do with it: it reads files and writes to what is open, but changes no other file, makes no
/// socket and reaches no other process. `output`: an existing file that it may open for writing
/// nevertheless; null: none.
Confinement confine_program(const char* output) noexcept;

/// Private memory beyond what is in use, and processor time in all: beyond the first, memory is
/// refused; beyond the second, the process gets SIGXCPU.
void limit(std::size_t bytes, unsigned seconds) noexcept;

}  // namespace sfumato::decoder
