// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A file that appears whole or not at all: a temporary beside the target, renamed at the end.
#pragma once

#include <filesystem>
#include <vector>

#include "io/module.hpp"

namespace sfumato::files {

/// The path with symbolic links followed, so that a link stays a link when its file is replaced.
std::filesystem::path followed(const std::filesystem::path& path);

/// Checks an output by its name alone. Throws FileError for an unknown extension, and for a depth
/// or a compression that the format does not have.
void check_format(const std::filesystem::path& path, const WriteOptions& options);

/// The temporary that this program is writing for a target; empty: none. Any thread.
std::filesystem::path temporary_in_work(const std::filesystem::path& target);

/// Makes a folder, and those above it, unless they exist. Throws FileError.
void make_folder(const std::filesystem::path& folder);

/// Names in a folder that look like temporaries, of any target and program.
std::vector<std::string> temporaries_in(const std::filesystem::path& folder);

/// Whether a file's name is that of a temporary of the target.
bool is_temporary_of(const std::string& name, const std::filesystem::path& target);

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
  /// Renames the temporary to the target, flushed to the disk first if it replaces a file or is to
  /// be durable. Nothing can be written afterwards. Throws FileError, after removing the temporary.
  void commit();

 private:
  [[noreturn]] void fail(Message why);
  void discard() noexcept;
  void forget() noexcept;  // the temporary, which is gone

  std::filesystem::path path_;       // with symbolic links followed
  std::filesystem::path temporary_;  // empty once committed or removed
  int descriptor_ = -1;
  int slot_ = -1;  // in the table of remove_temporaries()
  bool overwrite_, durable_;
  bool replaces_ = false;
};

}  // namespace sfumato::files
