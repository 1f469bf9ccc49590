// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Identifies files, and tells whether they have changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace sfumato
