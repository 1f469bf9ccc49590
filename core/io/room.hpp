// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Whether there is memory for what pictures take. It is asked before any is taken: a system that
// runs out of memory kills programs without a message.
#pragma once

#include "io/io.hpp"

namespace sfumato {

/// The most bytes that a decoder of ours may take: ReadOptions::memory, and no more than is free.
/// The largest number if neither is known.
std::size_t room_to_decode(const ReadOptions& options);

/// Throws FileError if what reading the picture takes is not free (PictureInfo::working_bytes,
/// chunk_bytes).
void check_room_to_decode(const InputPicture& picture);

/// Throws FileError if opening a file takes more than room_to_decode(); `bytes` is what its header
/// claims.
void check_room_to_open(const std::filesystem::path& path, std::size_t bytes,
                        const ReadOptions& options);

/// Throws FileError if `bytes` for all pixels of a picture are not free, with what reading takes.
void check_room(const PixelSource& source, std::size_t bytes);

}  // namespace sfumato
