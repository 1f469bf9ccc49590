// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A file that appears whole or not at all: a temporary beside the target, renamed at the end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_version.hpp"
#include "io/module.hpp"
#include "io/temporary.hpp"

namespace sfumato::files {

/// The path with symbolic links followed, so that a link stays a link when its file is replaced.
std::filesystem::path followed(const std::filesystem::path& path);

/// Checks an output by its name alone. Throws FileError for an unknown extension, and for a depth
/// or a compression that the format does not have.
void check_format(const std::filesystem::path& path, const WriteOptions& options);

/// Throws FileError if a symbolic link on the way was put into a folder where everyone may write
/// by someone who owns neither that folder nor this process.
void check_links(const std::filesystem::path& path);

/// Makes a folder, and those above it, unless they exist. Throws FileError.
void make_folder(const std::filesystem::path& folder);

/// The whole content of a text file. Throws FileError with the reason, also for a folder, for what
/// is not an ordinary file, and for an empty one; never waits for a pipe.
std::string read_text(const std::filesystem::path& path);

/// Writes a text that appears whole or not at all and replaces what is there. Throws FileError,
/// also for what is not an ordinary file.
void replace_text(const std::filesystem::path& path, std::string_view text);

class Target {
 public:
  /// Throws FileError for a path that cannot be written.
  using Check = void (*)(const std::filesystem::path& path, const WriteOptions& options);

  /// Checks the path and makes the temporary. Throws FileError.
  Target(const std::filesystem::path& path, const WriteOptions& options,
         Check check = check_output);
  /// The same for a file that is no picture, replacing what is there. Symbolic links are not
  /// followed.
  explicit Target(const std::filesystem::path& path);
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return temporary_->descriptor(); }
  const std::filesystem::path& temporary() const { return temporary_->path(); }
  /// As Temporary::path_now().
  std::filesystem::path temporary_now() const { return temporary_->path_now(); }
  /// Begins to write to the disk what commit() would flush, if it does, and does not wait for it.
  void begin_to_flush() const;
  /// Renames the temporary to the target, flushed to the disk first if it replaces a file or is to
  /// be durable. Nothing can be written afterwards. Throws FileError, after removing the temporary,
  /// also if another program has saved the picture that would be replaced again.
  void commit();
  /// Removes the temporary and throws FileError.
  [[noreturn]] void fail_to_write(int error);

 private:
  [[noreturn]] void fail(Message why);
  void begin();

  std::filesystem::path path_;          // with symbolic links followed
  std::optional<Temporary> temporary_;  // removed with it, unless committed
  bool overwrite_, durable_;
  bool replaces_ = false;
  FileWatch picture_;  // the one that would be replaced
};

/// Throws FileError if no file can or may be made there, or if `check_its_format` does.
void check_target(const std::filesystem::path& path, const WriteOptions& options,
                  Target::Check check_its_format);

}  // namespace sfumato::files
