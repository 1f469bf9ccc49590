// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures read in a process that a hostile file may take down, and nothing else.
#pragma once

#include <memory>

#include "io/io.hpp"
#include "io/plain_profile.hpp"

namespace sfumato::decoder {

/// Opens a picture in a process of its own: it gets descriptors of the file and memory for pixels,
/// and gives up everything else before the first byte (io/decoder/sandbox.hpp). Null where
/// sfumato-decode is not installed. Any thread. Throws FileError, now and
/// later: also if no process can be started, and if the decoder crashed, hung, asked for too much
/// memory or for a forbidden call.
std::unique_ptr<InputPicture> open_contained(const std::filesystem::path& path,
                                             const ReadOptions& options);

/// What an ICC profile says, found out in a process of its own; nullopt where sfumato-decode is not
/// installed. `path` is the picture's, for messages. Any thread. Throws FileError, as above.
std::optional<ProfileNumbers> contained_numbers(const std::vector<unsigned char>& profile,
                                                const std::filesystem::path& path);

/// Starts the process that the first picture would start. Returns at once. Any thread.
void prepare() noexcept;

/// What of this cannot be had on this machine, one sentence, for a warning: the first time only.
/// Empty where all can, or no picture was opened yet.
Message take_containment_fault();

}  // namespace sfumato::decoder
