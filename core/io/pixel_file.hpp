// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Bare pixels in a file, with what they mean: how programs that hold pictures hand them to others,
// and get them back.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "io/io.hpp"

namespace sfumato {

/// What the pixels mean. In the file, all numbers little-endian, 32 bits each: "sfumato\n", the
/// version (1), width, height, channels, sample type (u8, u16, half, float: 0 to 3), order of
/// colours (RGB 0, BGR 1), alpha (none, straight, premultiplied: 0 to 2), curve (linear, sRGB,
/// power: 0 to 2; 3: the profile's), the power (a float), x, y, the canvas's width and height, the
/// profile's bytes. The profile begins at byte 128, the pixels at the first multiple of 4096 behind
/// it: rows from the top, without gaps, to the file's end.
struct PixelFile {
  PictureFormat format;
  bool bgr = false;  ///< blue first, as some programs keep integers; readers turn it round
  /// Where the first pixel lies on the canvas that all layers of a document share.
  int x = 0, y = 0;
  int canvas_width = 0, canvas_height = 0;  ///< 0: the picture's own size
  std::vector<unsigned char> icc_profile;
  Message warning;  ///< of the reader's: the profile's curve is of an unknown kind
};

/// Whether the file begins as these do; false where it cannot be read. Any thread.
bool is_pixel_file(const std::filesystem::path& path);

/// What a file says of its pixels. Throws FileError for what is none, is damaged, or claims more
/// than it holds.
PixelFile read_pixel_file(const std::filesystem::path& path);

/// As open_picture(), which calls this for such files. Its data window lies on the canvas; a role
/// is given without alpha.
std::unique_ptr<InputPicture> open_pixel_file(const std::filesystem::path& path,
                                              const ReadOptions& options);

/// Writes such a file, whole or not at all; `pixels` has the header's format and RGB order. One
/// that is there is replaced. Throws FileError.
void write_pixel_file(const std::filesystem::path& path, const PixelFile& header,
                      const HostView& pixels);

/// A file that says what it holds and holds no pixels yet: for laying roles by it.
void write_empty_pixel_file(const std::filesystem::path& path, const PixelFile& header);

}  // namespace sfumato
