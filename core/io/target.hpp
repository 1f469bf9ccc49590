// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A file that appears whole or not at all: a temporary beside the target, renamed at the end.
#pragma once

#include <filesystem>

#include "io/module.hpp"

namespace sfumato::files {

class Target {
 public:
  /// Checks the path as check_output() does and makes the temporary. Throws FileError.
  Target(const std::filesystem::path& path, const WriteOptions& options);
  /// Removes the temporary if it was not committed.
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  void commit();

 private:
  [[noreturn]] void fail(const std::string& sentence);
  void discard() noexcept;

  std::filesystem::path path_;       // with symbolic links followed
  std::filesystem::path temporary_;  // empty once committed or removed
  int descriptor_ = -1;
  int slot_ = -1;  // in the table of remove_temporaries()
  bool overwrite_;
  bool replaces_ = false;
};

}  // namespace sfumato::files
