// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Metadata about a picture, copied from file to file unchanged: OpenImageIO 2.4 knows only a part
// of it, reads less from TIFF, and writes still less.
#pragma once

#include <OpenImageIO/imageio.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "text/message.hpp"

namespace sfumato::files {

class Bytes;
struct TiffDirectory;

/// A value of a TIFF directory.
struct TiffEntry {
  int type = 0;  ///< TIFF's number, such as 2 for text
  std::uint64_t count = 0;
  std::string value;  ///< in little-endian order
  std::string raw{};  ///< the whole entry as stored in the file; replaces the others
};
using TiffEntries = std::map<std::uint16_t, TiffEntry>;

/// EXIF (JEITA CP-3451): its directories, without entries that say how one file stores its
/// pixels, and without the thumbnail, which shows another picture. Maker notes are kept, although
/// offsets in them may no longer be right.
struct Exif {
  bool big_endian = false;  ///< as it was stored: maker notes depend on it
  TiffEntries image, photo, gps;
  TiffEntries interoperability{};  ///< the rules that a camera's file follows
  bool is_damaged = false;         ///< some of it cannot be read, and is not there

  bool empty() const {
    return image.empty() && photo.empty() && gps.empty() && interoperability.empty();
  }
};

/// Whether an entry of the first directory describes the picture, not how its pixels are stored.
bool is_described(std::uint16_t tag);
/// Whether one of an EXIF block is carried, which may be one that only TIFF gives a meaning.
bool is_in_block(std::uint16_t tag);
/// Whether one says which colours the samples are.
bool is_of_colors(std::uint16_t tag);
/// The entries of a directory whose tags `wanted` accepts; damaged ones are left out, and then
/// `damaged`, if given, becomes true.
TiffEntries entries_of(Bytes& in, const TiffDirectory& directory, bool (*wanted)(std::uint16_t),
                       bool* damaged = nullptr);
/// Reads a TIFF file or an EXIF block, of the first directory what is `wanted`; damaged entries are
/// left out.
Exif exif_in(Bytes& tiff, bool (*wanted)(std::uint16_t), std::uint64_t directory = 0);
/// As PNG, WebP and JPEG hold it: a TIFF file without a picture; empty if there are no entries.
std::string exif_block(const Exif& exif);
/// `carried`, completed by what the writer says about the new file: its size, orientation and
/// resolution, and a comment. Without `same_colors`, the carried colour space is left out.
Exif merged(Exif carried, const OIIO::ImageSpec& written, bool same_colors);

/// A file's metadata as bytes.
struct Metadata {
  Exif exif;
  std::string iptc;                ///< records of IPTC-IIM
  std::string xmp;                 ///< a packet
  std::string resources;           ///< Photoshop's image resources that stay true of a filtered
                                   ///< picture
  TiffEntries tags;                ///< that only TIFF has a place for
  bool tags_are_cut = false;       ///< some of them are not there
  bool resources_are_cut = false;  ///< some of them are damaged, and not there
  /// A part of the packet is missing: the file's extension of it is damaged.
  bool xmp_is_cut = false;
  bool texts_are_cut = false;  ///< what is longer than 64 KiB is not there

  bool empty() const {
    return exif.empty() && iptc.empty() && xmp.empty() && resources.empty() && tags.empty();
  }
};

/// Reads the metadata of a PNG, JPEG or TIFF file; readers of other formats leave it in the
/// attributes "sfumato:exif" and "sfumato:xmp" of `spec`. XMP is as the file holds it. `page` is
/// ReadOptions::page.
Metadata metadata_in(const std::string& kind, const std::filesystem::path& path,
                     const OIIO::ImageSpec& spec, int page);
/// IPTC made from attributes, for files that hold none as bytes.
std::string iptc_of(const OIIO::ImageSpec& spec);
void read_jpeg_metadata(Bytes& in, Metadata& out);
/// Of the directory at `place`; 0: the first one.
void read_tiff_metadata(Bytes& in, std::uint64_t place, Metadata& out);
/// The profile of a JPEG file, in however many segments it is; empty if there is none, or a piece
/// of it is missing.
std::vector<unsigned char> profile_in_jpeg(Bytes& in);
/// The most bytes of a profile in a JPEG file: 255 segments.
inline constexpr std::size_t most_profile_in_jpeg = std::size_t{255} * 65519;
/// Removes what does not fit into a JPEG file, where a segment of 64 KiB must hold EXIF. Its
/// description and comment go into `comment` then. Returns the names of what else was removed.
std::vector<Message> fit_jpeg(Metadata& metadata, std::string& comment);

/// Chunks to insert after a PNG file's header.
std::string png_chunks(const Metadata& metadata);
/// Puts metadata into a finished file, open for writing, in place of what its writer put there.
/// False if it cannot be written.
bool put_into_jpeg(int descriptor, const std::filesystem::path& path, const Metadata& metadata,
                   const std::vector<unsigned char>& profile, const std::string& comment);
/// A file of one page.
bool put_into_tiff(int descriptor, const std::filesystem::path& path, const Metadata& metadata);

}  // namespace sfumato::files
