// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Where blocks of memory lie that libraries request while they are loaded.
#pragma once

#include <cstddef>

namespace sfumato::files {

/// Calls `observer` with true before the file module is loaded and with false afterwards, in the
/// thread that loads it.
void observe_loading(void (*observer)(bool begins));

/// For programs that end soon, before the first picture: blocks of 1 to 8 KiB that are requested
/// while the file module is loaded come from address space of their own, with nothing between them,
/// and are never given back. OpenImageIO reserves some 24 MiB in such blocks for names and uses a
/// few of them; malloc writes a header before each, which costs 6,000 page faults. Needs
/// `sfumato-loading-memory` among the program's sources; without effect where a sanitizer has
/// malloc.
void use_loading_memory();

/// What use_loading_memory() has the loader call: whether blocks that this thread requests from now
/// on come from there.
void request_from_loading_memory(bool begins);

/// The part of that address space that has been handed out, in bytes.
std::size_t loading_memory_used();

}  // namespace sfumato::files
