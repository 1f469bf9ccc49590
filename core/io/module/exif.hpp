// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What cameras and people say of a picture, carried from file to file as it is: OpenImageIO 2.4
// knows a part of it, reads less of it from TIFF, and writes still less.
#pragma once

#include <OpenImageIO/imageio.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace sfumato::files {

class Bytes;

/// A value of a TIFF directory.
struct TiffEntry {
  int type = 0;  ///< TIFF's, such as 2 for text
  std::uint64_t count = 0;
  std::string value;  ///< in little-endian order
  std::string raw{};  ///< the whole entry as it stands in the file, in place of the others
};
using TiffEntries = std::map<std::uint16_t, TiffEntry>;

/// EXIF (JEITA CP-3451): its three directories, without what says how one file stores its pixels,
/// and without the thumbnail, which shows another picture. Notes of makers are kept, though their
/// own offsets may count from another place afterwards.
struct Exif {
  bool big_endian = false;  ///< how it was stored: notes of makers follow it
  TiffEntries image, photo, gps;

  bool empty() const { return image.empty() && photo.empty() && gps.empty(); }
};

/// Whether an entry of the first directory tells of the picture, not of how its pixels are stored.
bool is_described(std::uint16_t tag);
/// What is damaged is left out.
Exif exif_in(Bytes& tiff);
/// As PNG, WebP and JPEG hold it, a TIFF file without a picture; empty if there is nothing in it.
std::string exif_block(const Exif& exif);
/// What was carried, under what the writer says of the new file: its size, orientation, resolution.
Exif merged(Exif carried, const OIIO::ImageSpec& written, bool same_colors);

/// A file's metadata as bytes.
struct Metadata {
  Exif exif;
  std::string iptc;  ///< records of IPTC-IIM
  std::string xmp;   ///< a packet

  bool empty() const { return exif.empty() && iptc.empty() && xmp.empty(); }
};

/// Of a PNG, JPEG or TIFF file; readers of other kinds leave it in the attributes "sfumato:exif"
/// and "sfumato:xmp" of `spec`.
Metadata metadata_in(const std::string& kind, const std::filesystem::path& path,
                     const OIIO::ImageSpec& spec);
/// IPTC from attributes, for pictures of files that hold none as bytes.
std::string iptc_of(const OIIO::ImageSpec& spec);
/// Leaves out what a JPEG file has no room for: a segment holds 64 KiB. Names that ("XMP"), "" if
/// all of it fits.
std::string fit_jpeg(Metadata& metadata);

/// Chunks for behind a PNG file's header.
std::string png_chunks(const Metadata& metadata);
/// Puts it into a finished file, open for writing, in the place of what its writer put there. False
/// if it cannot be written.
bool put_into_jpeg(int descriptor, const std::filesystem::path& path, const Metadata& metadata);
bool put_into_tiff(int descriptor, const std::filesystem::path& path, const Metadata& metadata);

}  // namespace sfumato::files
