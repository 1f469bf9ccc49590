// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files of our own: read whole, written whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sfumato {

/// A temporary beside its target, which takes the target's name in commit() and is removed
/// otherwise. What fails leaves the reason in errno.
class NewFile {
 public:
  /// `permissions` as open() takes them.
  explicit NewFile(const std::filesystem::path& target, unsigned permissions = 0666);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// -1: it could not be made.
  int descriptor() const { return descriptor_; }
  bool write(std::size_t offset, const void* from, std::size_t bytes) const;
  /// Replaces what lies at the target.
  bool commit();

 private:
  std::filesystem::path target_, path_;
  int descriptor_ = -1;
};

/// Gives a file another name in its folder in one step. Without `replace`, EEXIST where there is a
/// file of that name by now, which stays as it is. Returns 0, or what went wrong as in errno.
int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace);

/// Writes a file whole or not at all; false where it cannot, as where its folder is missing.
bool replace_file(const std::filesystem::path& file, std::string_view content);

/// The same, and makes the folder where there is none.
bool write_file_atomically(const std::filesystem::path& file, std::string_view content);

/// The content of a file; false where it cannot be read.
bool read_file(const std::filesystem::path& file, std::string& content);

}  // namespace sfumato
