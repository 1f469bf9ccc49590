// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tells whether a file is still the one that was read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sfumato::gui {

/// Which file it is and when it was written last.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;

  bool operator==(const FileStamp&) const = default;
};

/// Nothing where there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

}  // namespace sfumato::gui
