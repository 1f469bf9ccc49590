// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs a program for its output, or to pass it something.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sfumato::files {

/// What a program reads besides its arguments.
struct ChildInput {
  bool written = false;        ///< standard input is what write() passes; else it is empty
  std::vector<int> more = {};  ///< descriptors that the program gets as numbers 3, 4...
};

/// The program is looked for in PATH. It is killed with this object. However our program ends, it
/// ends soon after, when it writes to the closed pipe, or reads the end of its input. Not
/// thread-safe.
class Child {
 public:
  /// `words` are the program and its arguments. Throws FileError if it cannot be started, as when
  /// it is not installed.
  explicit Child(const std::vector<std::string>& words, const ChildInput& input = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for `bytes` bytes of its output. Returns how many were read: fewer at its end. Throws
  /// Cancelled once `cancelled` (may be empty), which is asked several times a second, returns
  /// true.
  std::size_t read(char* to, std::size_t bytes, const std::function<bool()>& cancelled = {});
  /// The rest of its output. Throws as read() does.
  std::string read_all(const std::function<bool()>& cancelled = {});
  /// Passes bytes to its standard input; false if it reads no more. Throws as read() does.
  bool write(const char* from, std::size_t bytes, const std::function<bool()>& cancelled = {});
  /// Its standard input has ended.
  void end_input();
  /// Where its output is read, for another program.
  int output() const { return output_; }
  /// Only that other program reads its output from now on.
  void end_output();
  /// Waits for its end. Whether it exited with status 0. Throws as read() does.
  bool ended_well(const std::function<bool()>& cancelled = {});
  /// The last line that it wrote to standard error.
  std::string last_error_line() const;

 private:
  void start(const std::vector<std::string>& words, const ChildInput& input);
  void close_all();

  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, complaints_ = -1;
};

/// Whether PATH leads to a program of that name.
bool is_in_path(const std::string& program);

}  // namespace sfumato::files
