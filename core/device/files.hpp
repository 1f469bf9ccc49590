// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Our own files: read whole, and written whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sfumato {

/// A locked temporary file beside its target, which takes the target's name in commit() and is
/// removed otherwise; what killed programs left in the folder is removed, too. Failures leave the
/// reason in errno.
class NewFile {
 public:
  /// `permissions` as for open().
  explicit NewFile(const std::filesystem::path& target, unsigned permissions = 0666);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// -1 if it could not be created.
  int descriptor() const { return descriptor_; }
  bool write(std::size_t offset, const void* from, std::size_t bytes) const;
  /// Replaces the file at the target.
  bool commit();

 private:
  void discard();

  std::filesystem::path target_, path_;
  int descriptor_ = -1;
};

/// Renames a file within its folder atomically. Without `replace`, an existing file of that name is
/// kept and the result is EEXIST. Relative paths begin at the open `folder`; -1: at the working
/// folder. Returns 0 or an errno value.
int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace,
                int folder = -1);

/// Opens an ordinary file for reading, without waiting; else -1 with the reason in errno. ELOOP: a
/// pipe, a device or anything else that is no ordinary file.
int open_ordinary(const std::filesystem::path& file);

/// Opens a file to read it and add to its end, and makes it if it is missing: the descriptor, or -1
/// with the reason in errno. ELOOP: a link, a pipe or anything else that is no ordinary file, which
/// someone may have put there.
int open_to_append(const std::filesystem::path& file);

/// Writes a file whole or not at all; false if it cannot, for example without its folder, with the
/// reason in errno.
bool replace_file(const std::filesystem::path& file, std::string_view content);

/// The same, but creates a missing folder.
bool write_file_atomically(const std::filesystem::path& file, std::string_view content);

/// Reads a whole ordinary file, without waiting for a pipe; false if it cannot be read, with the
/// reason in errno.
bool read_file(const std::filesystem::path& file, std::string& content);

}  // namespace sfumato
