// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Identifies files, and tells whether they have changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "device/descriptor.hpp"
#include "io/inode_writes.hpp"

struct stat;

namespace sfumato {

/// Identifies a file, whatever its names, until the system restarts.
struct FileId {
  std::uint64_t device = 0, inode = 0;
  auto operator<=>(const FileId&) const = default;
};

/// Changes when a file is written again.
struct FileStamp {
  std::uintmax_t size = 0;  ///< bytes
  std::int64_t time = 0;    ///< of the last change, in nanoseconds since 1970
  auto operator<=>(const FileStamp&) const = default;
};

struct FileVersion {
  FileId id;
  FileStamp stamp;
  bool operator==(const FileVersion&) const = default;
};

/// Symbolic links are followed; nullopt: there is no file. Any thread.
std::optional<FileVersion> version_of(const std::filesystem::path& path);
std::optional<FileId> id_of(const std::filesystem::path& path);
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

/// Identifies a file across renames and restarts, as long as it exists: its inode number and, if
/// the file system records it, the time of its creation. Symbolic links are followed; empty: there
/// is no file.
std::string persistent_id_of(const std::filesystem::path& path);

/// Watches the content of a file from now on, whatever becomes of its names.
class FileWatch {
 public:
  /// Watches nothing: nothing is written.
  FileWatch() = default;
  /// Symbolic links are followed. Nothing is watched where there is no file, or no descriptor left.
  explicit FileWatch(const std::filesystem::path& path);

  /// Whether the content may have been written to since then: by its size and the time of its last
  /// change or, as that can be set back, by what the system has seen. Where the system reports
  /// nothing, any change of the file counts, of its rights and names, too.
  bool written() const;
  /// Its name has become another one, by a rename of its folder.
  void moved_to(const std::filesystem::path& path) { path_ = path; }
  /// Whether its name belongs to another file now.
  bool replaced() const;

 private:
  struct State {
    FileStamp stamp;
    std::int64_t changed = 0;  ///< names, rights, attributes or content, in nanoseconds since 1970
  };
  static State state_of(const struct stat& s);

  std::filesystem::path path_;
  Descriptor file_;  // the content cannot be read by it
  FileId id_;
  State before_;
  std::unique_ptr<InodeWrites> writes_;
};

}  // namespace sfumato
