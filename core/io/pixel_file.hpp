// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files of raw pixels with a header that describes them, by which programs pass pictures to each
// other.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "io/io.hpp"

namespace sfumato {

/// What the pixels mean. In the file, with all numbers little-endian, 32 bits each: "sfumato\n",
/// the version (1), width, height, channels, sample type (u8, u16, half, float: 0 to 3), order of
/// colours (RGB 0, BGR 1), alpha (none, straight, premultiplied: 0 to 2), curve (linear, sRGB,
/// power: 0 to 2; 3: the profile's), the power (a float), x, y, the canvas's width and height, the
/// profile's length in bytes. The profile begins at byte 128, the pixels at the first multiple of
/// 4096 after it: rows from the top, without gaps, to the file's end.
struct PixelFile {
  PictureFormat format;
  bool bgr = false;  ///< blue first, as some programs store integers; readers return RGB
  /// The first pixel's position on the canvas that all layers of a document share.
  int x = 0, y = 0;
  int canvas_width = 0, canvas_height = 0;  ///< 0: the picture's own size
  std::vector<unsigned char> icc_profile;
  Message warning;  ///< set by reading: the profile's curve is of an unknown kind
};

/// Whether a file begins like a pixel file; false if it cannot be read. Any thread.
bool is_pixel_file(const std::filesystem::path& path);

/// Reads the header and the profile. Throws FileError if the file is not a pixel file, is damaged,
/// or its length is not what its header says.
PixelFile read_pixel_file(const std::filesystem::path& path);

/// Like open_picture(), which calls this for such files. The data window is its position on the
/// canvas; a role picture has no alpha.
std::unique_ptr<InputPicture> open_pixel_file(const std::filesystem::path& path,
                                              const ReadOptions& options);

/// Writes such a file atomically, and replaces an existing one. `pixels` has the header's format,
/// in RGB order. Throws FileError.
void write_pixel_file(const std::filesystem::path& path, const PixelFile& header,
                      const HostView& pixels);

/// Writes such a file with all pixels 0, for aligning role pictures with it. Throws FileError.
void write_empty_pixel_file(const std::filesystem::path& path, const PixelFile& header);

}  // namespace sfumato
