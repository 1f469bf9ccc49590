// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What stat() tells, links followed.
#include "document/file_stamp.hpp"

#include <sys/stat.h>

namespace sfumato::gui {

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return {};
  return FileStamp{s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
}

}  // namespace sfumato::gui
