// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The decoder's side: a process that waits, and forks one for each picture.
#pragma once

#include <functional>

#include "device/channel.hpp"
#include "io/module.hpp"

namespace sfumato::decoder {

/// Descriptors of the file that is read, each with a place of its own in it: what libraries get
/// where they open the file by its name (given_file.cpp).
struct GivenFile {
  std::string path;
  std::vector<Descriptor> descriptors;
};
using Give = std::function<void(GivenFile)>;

/// Why something failed: the exception's own words, or that there is too little memory.
Message reason_in(const std::exception& error);

/// Answers the program's requests about one picture. Throws Closed once the program is gone, and
/// ProtocolError if what comes is no packet; a request that cannot be met is answered with a
/// sentence.
[[noreturn]] void answer_requests(Channel& channel, files::FileModule& module, const Give& give);

/// Answers the program at `channel` until it is gone: forks for each picture. Returns the status to
/// end with. Only one thread may run.
int serve(Channel& channel, files::FileModule& module, const Give& give);

}  // namespace sfumato::decoder
