// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which file it is, and whether it is still as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sfumato {

/// A file, whatever its names are, as long as the system runs.
struct FileId {
  std::uint64_t device = 0, inode = 0;
  auto operator<=>(const FileId&) const = default;
};

/// What changes when a file is written again.
struct FileStamp {
  std::uintmax_t size = 0;  ///< bytes
  std::int64_t time = 0;    ///< of the last change, in nanoseconds since 1970
  bool operator==(const FileStamp&) const = default;
};

struct FileVersion {
  FileId id;
  FileStamp stamp;
  bool operator==(const FileVersion&) const = default;
};

/// Symbolic links followed; nullopt: there is no file. Any thread.
std::optional<FileVersion> version_of(const std::filesystem::path& path);
std::optional<FileId> id_of(const std::filesystem::path& path);
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

/// The file itself across renames and restarts, for files that are kept: its number and the time of
/// its birth, as far as the file system knows it. Symbolic links followed; empty: there is no file.
std::string birth_of(const std::filesystem::path& path);

}  // namespace sfumato
