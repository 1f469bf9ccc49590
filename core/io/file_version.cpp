// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/file_version.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace sfumato {

std::optional<FileVersion> version_of(const std::filesystem::path& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  return FileVersion{
      {s.st_dev, s.st_ino},
      {static_cast<std::uintmax_t>(s.st_size), s.st_mtim.tv_sec * second + s.st_mtim.tv_nsec}};
}

std::optional<FileId> id_of(const std::filesystem::path& path) {
  const auto version = version_of(path);
  return version ? std::optional(version->id) : std::nullopt;
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  const auto version = version_of(path);
  return version ? std::optional(version->stamp) : std::nullopt;
}

std::string persistent_id_of(const std::filesystem::path& path) {
  struct statx s {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME, &s) != 0) return {};
  const std::string inode = std::to_string(s.stx_ino);
  if ((s.stx_mask & STATX_BTIME) == 0) return inode;
  return inode + "-" + std::to_string(s.stx_btime.tv_sec) + "." +
         std::to_string(s.stx_btime.tv_nsec);
}

}  // namespace sfumato
