// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Appends pages to a TIFF file in a time that does not grow with their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace sfumato::files {

/// libtiff opens a file from its first directory on and walks over all pages before it appends one.
/// While pages are appended, the file begins with its last directory.
class TiffChain {
 public:
  TiffChain(int descriptor, std::filesystem::path path)
      : descriptor_(descriptor), path_(std::move(path)) {}

  /// Call before each page is appended, while no one has the file open; false if it cannot be
  /// written.
  bool begin_at_last();
  /// Makes the file whole again.
  bool begin_at_first();

 private:
  int descriptor_;
  std::filesystem::path path_;
  std::uint64_t first_ = 0;
};

/// Whether the directory and the last row of every page are there.
bool tiff_is_whole(const std::filesystem::path& path, std::size_t pages);

}  // namespace sfumato::files
