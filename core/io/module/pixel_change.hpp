// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What metadata says of sizes and places, when pixels were turned, cropped or scaled.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "image/resampling.hpp"
#include "io/module/exif.hpp"

namespace sfumato::files {

/// Where the old picture's points are in the new one. Points count in pixels from the upper left
/// corner of a picture.
struct PixelChange {
  PictureSize from, to;
  /// x = across[0] old_x + across[1] old_y + across[2]; y likewise. One of the first two numbers is
  /// 0 in both: pictures are not slanted.
  std::array<double, 3> across = {1, 0, 0}, down = {0, 1, 0};

  bool is_none() const;
  /// Whether columns became rows.
  bool exchanges() const { return across[0] == 0; }
  bool is_turned() const { return exchanges() || across[0] < 0 || down[1] < 0; }
  bool is_cropped() const;
  std::array<double, 2> point(double x, double y) const;
  /// How many times as large the old picture's horizontal and vertical lengths are.
  double of_width() const;
  double of_height() const;
};

PixelChange no_change(const PictureSize& size);
PixelChange scaling(const PictureSize& from, const PictureSize& to);
/// As EXIF's orientation, 1 to 8, asks for.
PixelChange turning(const PictureSize& from, int orientation);
/// The part at (x, y), which may be fractions of pixels.
PixelChange cropping(const PictureSize& from, const PictureSize& to, double x, double y);
PixelChange operator+(const PixelChange& first, const PixelChange& second);

/// EXIF's subject: a point, and perhaps a diameter or two sides.
void move_subject(const PixelChange& change, std::vector<double>& numbers);
/// EXIF's subject and density of the sensor; where a page lies, in units of the resolution, which
/// stays: a smaller picture has a smaller page.
void change_pixels(const PixelChange& change, Exif& exif);
void change_places(const PixelChange& change, TiffEntries& tags);
/// The same in attributes, and the places that TGA and DPX state.
void change_pixels(const PixelChange& change, OIIO::ImageSpec& spec);
/// The sizes, subjects, regions (of the Metadata Working Group, Microsoft and IPTC) and panoramas
/// of an XMP packet. A picture that was turned is upright.
std::string changed_xmp(const PixelChange& change, const std::string& packet);
/// Chunks of a PNG file: places on a page, and its size.
std::string changed_chunks(const PixelChange& change, const std::string& chunks);

/// What a reader of HEIF and AVIF does to the samples of a picture, by the properties of the item
/// with this number; 0: the main one.
inline constexpr char heif_item[] = "sfumato:heif_item";  ///< a reader's note of it
PixelChange change_in_heif(const std::filesystem::path& path, std::uint32_t item);

}  // namespace sfumato::files
