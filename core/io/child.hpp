// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs a program for its output.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sfumato::files {

/// The program is looked for in PATH; its standard input is empty. It is killed with this object.
/// However our program ends, it ends soon after, when it writes to the closed pipe. Not
/// thread-safe.
class Child {
 public:
  /// `words` are the program and its arguments. Throws FileError if it cannot be started, as when
  /// it is not installed.
  explicit Child(const std::vector<std::string>& words);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for `bytes` bytes of its output. Returns how many were read: fewer at its end. Throws
  /// Cancelled once `cancelled` (may be empty), which is asked several times a second, returns
  /// true.
  std::size_t read(char* to, std::size_t bytes, const std::function<bool()>& cancelled = {});
  /// The rest of its output. Throws as read() does.
  std::string read_all(const std::function<bool()>& cancelled = {});
  /// Waits for its end. Whether it exited with status 0.
  bool ended_well();
  /// The last line that it wrote to standard error.
  std::string last_error_line() const;

 private:
  pid_t pid_ = -1;
  int output_ = -1, complaints_ = -1;
};

/// Whether PATH leads to a program of that name.
bool is_in_path(const std::string& program);

}  // namespace sfumato::files
