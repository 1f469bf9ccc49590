// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Standard input, output and error for programs that are started without them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace sfumato {

/// Opens those of the descriptors 0 to 2 that are closed, on nothing: the next file to be opened
/// would get such a number, and messages would be written into it. To be called first in main().
inline void open_standard_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      static_cast<void>(::open("/dev/null", O_RDWR));  // gets the lowest number, which is this one
    }
  }
}

}  // namespace sfumato
