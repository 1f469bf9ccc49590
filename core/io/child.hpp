// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A program that is run for what it writes.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sfumato::files {

/// Looked for in PATH; its standard input is empty. Ends with this object, and soon after this
/// program, whatever ends that. Not for several threads.
class Child {
 public:
  /// Throws FileError where it cannot be started: it is not installed.
  explicit Child(const std::vector<std::string>& words);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for so many bytes of its output; less at its end.
  std::size_t read(char* to, std::size_t bytes);
  /// All that is left of it.
  std::string read_all();
  /// Waits for its end: whether it ended well.
  bool ended_well();
  /// The last line that it wrote as a complaint.
  std::string last_words() const;

 private:
  pid_t pid_ = -1;
  int output_ = -1, complaints_ = -1;
};

}  // namespace sfumato::files
