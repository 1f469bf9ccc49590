// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/file_version.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace sfumato {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  constexpr std::int64_t second = 1'000'000'000;
  return time.tv_sec * second + time.tv_nsec;
}

FileVersion version_in(const struct stat& s) {
  return {{s.st_dev, s.st_ino}, {static_cast<std::uintmax_t>(s.st_size), nanoseconds(s.st_mtim)}};
}

}  // namespace

std::optional<FileVersion> version_of(const std::filesystem::path& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return std::nullopt;
  return version_in(s);
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

// O_PATH: pipes do not wait, and nothing is needed but the way to the file.
FileWatch::FileWatch(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_PATH | O_CLOEXEC)) {
  struct stat s {};
  if (!file_ || ::fstat(file_.get(), &s) != 0) {
    file_ = {};
    return;
  }
  id_ = version_in(s).id;
  writes_ = writes_to(file_.get());
  before_ = state_of(s);
}

FileWatch::State FileWatch::state_of(const struct stat& s) {
  return {version_in(s).stamp, nanoseconds(s.st_ctim)};
}

bool FileWatch::written() const {
  struct stat s {};
  if (!file_ || ::fstat(file_.get(), &s) != 0) return false;
  const State now = state_of(s);
  if (now.stamp != before_.stamp) return true;
  return now.changed != before_.changed && (!writes_ || writes_->any());
}

bool FileWatch::replaced() const {
  const auto now = file_ ? id_of(path_) : std::nullopt;
  return now && *now != id_;
}

}  // namespace sfumato
