// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Whether anyone writes to a file, as the kernel reports it (inotify(7)).
#pragma once

#include <memory>

namespace sfumato {

/// The writes to one file from now on, whatever its names. Writes through mapped memory are not
/// reported. Any thread.
class InodeWrites {
 public:
  virtual ~InodeWrites() = default;
  /// Whether there were any.
  virtual bool any() = 0;
};

/// Of the file that a descriptor of this process leads to; null if the system reports none.
std::unique_ptr<InodeWrites> writes_to(int descriptor);

}  // namespace sfumato
