// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What files say about their pictures beside the pixels, and what becomes of it in other formats.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/message.hpp"

namespace sfumato {

enum class Property : std::uint8_t {
  min_is_white,
  palette,
  alpha,
  icc_profile,
  cicp,
  gamma_and_primaries,
  chromaticities,
  nclx,
  header_colors,
  exif_color_space,
  resolution,
  pixel_aspect,
  orientation,
  exposure,
  sample_scale,
  mastering,
  exif,
  maker_words,
  iptc,
  xmp,
  comments,
  photoshop,
  other_chunks,
  georeferencing,
  page_place,
  private_tags,
  key_color,
  job_time,
  environment,
  own_numbers,
  software,
  time_stamps,
  pages,
  gain_map,
  movie,
  frames,
  layers,
  windows,
  levels,
  previews
};

/// What becomes of a property when a file is read and another one written.
enum class Treatment : std::uint8_t {
  absent,     ///< the format that is read has no such property
  kept,       ///< the new file has it, too
  converted,  ///< the new file says the same in another way
  dropped,    ///< the new file cannot say it, and a warning names it
  omitted     ///< left out without a word: it would say nothing about the new picture
};

/// Formats whose properties are declared; `other` are formats that can only be read, about which
/// nothing is declared.
enum class FileKind : std::uint8_t {
  png,
  jpeg,
  tiff,
  openexr,
  webp,
  pnm,
  pfm,
  hdr,
  jpeg2000,
  codestream,  ///< of JPEG 2000, without the boxes of a JP2 file; as a reader jpeg2000
  heif,        ///< and AVIF
  bmp,
  targa,
  gif,
  psd,
  raw,  ///< of cameras
  other
};

/// One or several formats.
class FileKinds {
 public:
  template <typename... Kinds>
  constexpr explicit FileKinds(Kinds... kinds) : bits_((0u | ... | bit(kinds))) {}
  constexpr bool has(FileKind kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr FileKinds operator|(FileKinds more) const {
    FileKinds out;
    out.bits_ = bits_ | more.bits_;
    return out;
  }

 private:
  static constexpr unsigned bit(FileKind kind) { return 1u << static_cast<unsigned>(kind); }
  unsigned bits_ = 0;
};

/// A row of the table. A writer in none of the last three lists drops the property.
struct PropertyRow {
  Property property;
  std::string_view name;  ///< in the guide
  std::string_view into;  ///< what it is converted into, in the guide
  FileKinds carried;      ///< formats of files that may say it
  FileKinds kept;         ///< formats in which it is kept, whatever was read
  FileKinds kept_alone;   ///< formats in which it is kept if the same format was read
  FileKinds converted;    ///< formats in which it is said in another way
  bool said = true;       ///< its loss is worth a sentence
};

namespace table {

using enum FileKind;
inline constexpr FileKinds none{};
inline constexpr FileKinds pictures{png, jpeg, tiff, webp, jpeg2000};
inline constexpr FileKinds described{png, jpeg, tiff, webp, openexr, jpeg2000};
inline constexpr FileKinds profiled = described | FileKinds(heif);
inline constexpr FileKinds all{png, jpeg, tiff,     openexr,    webp, pnm,  pfm,
                               hdr, heif, jpeg2000, codestream, bmp,  targa};

inline constexpr std::array rows = {
    PropertyRow{Property::min_is_white, "zero means white", "the same picture, zero being black",
                FileKinds(tiff), none, none, all},
    PropertyRow{Property::palette, "palette", "the palette's colours",
                FileKinds(png, tiff, gif, bmp, targa, psd), none, none, all},
    PropertyRow{Property::alpha, "transparency", "",
                FileKinds(png, tiff, openexr, webp, gif, heif, jpeg2000, bmp, targa, psd),
                FileKinds(png, tiff, openexr, webp, heif, jpeg2000, bmp, targa), none, none},
    PropertyRow{Property::icc_profile, "ICC profile", "primaries in numbers",
                pictures | FileKinds(heif, bmp, gif, psd), pictures | FileKinds(heif, bmp), none,
                FileKinds(openexr, hdr)},
    PropertyRow{Property::cicp, "cICP",
                "an ICC profile; in OpenEXR and HDR primaries in numbers; in HEIF and AVIF nclx",
                FileKinds(png), none, FileKinds(png),
                FileKinds(jpeg, tiff, webp, openexr, jpeg2000, heif, bmp, hdr)},
    PropertyRow{Property::gamma_and_primaries, "gAMA and cHRM",
                "an ICC profile; in OpenEXR and HDR primaries in numbers", FileKinds(png), none,
                none, profiled | FileKinds(bmp, hdr)},
    PropertyRow{Property::chromaticities, "primaries in numbers (OpenEXR)", "an ICC profile",
                FileKinds(openexr), none, FileKinds(openexr), pictures | FileKinds(heif, bmp, hdr)},
    PropertyRow{Property::nclx, "nclx (HEIF, AVIF)",
                "an ICC profile; in OpenEXR and HDR primaries in numbers", FileKinds(heif), none,
                FileKinds(heif), described | FileKinds(bmp, hdr)},
    PropertyRow{Property::header_colors, "primaries and curve in the header",
                "an ICC profile; in OpenEXR and HDR primaries in numbers",
                FileKinds(bmp, tiff, hdr, jpeg2000), none, FileKinds(hdr),
                profiled | FileKinds(bmp, hdr)},
    PropertyRow{Property::exif_color_space, "Adobe RGB by EXIF",
                "an ICC profile; in OpenEXR and HDR primaries in numbers",
                FileKinds(jpeg, tiff, webp, png, heif, psd), none, none,
                profiled | FileKinds(bmp, hdr)},
    PropertyRow{Property::resolution, "resolution", "the unit of the format",
                profiled | FileKinds(bmp, psd), FileKinds(jpeg, tiff, webp, jpeg2000, heif),
                FileKinds(png, openexr, bmp), FileKinds(png, openexr, bmp)},
    PropertyRow{Property::pixel_aspect, "shape of pixels", "",
                FileKinds(png, jpeg, tiff, openexr, hdr, heif, targa, gif, psd),
                FileKinds(png, jpeg, tiff, openexr, hdr, heif, targa), none, none},
    PropertyRow{Property::orientation, "orientation", "the picture as it is shown",
                described | FileKinds(hdr, psd), described, FileKinds(hdr), FileKinds(heif)},
    PropertyRow{Property::exposure, "exposure in the header", "", FileKinds(hdr), none,
                FileKinds(hdr), none},
    PropertyRow{Property::sample_scale, "scale in the header (PFM)", "", FileKinds(pnm),
                FileKinds(pfm), none, none},
    PropertyRow{Property::mastering, "mastering display and light level", "", FileKinds(png, heif),
                FileKinds(png, heif), none, none},
    PropertyRow{Property::exif, "EXIF", "attributes", profiled | FileKinds(psd, raw),
                pictures | FileKinds(heif), FileKinds(openexr), FileKinds(openexr)},
    PropertyRow{Property::maker_words, "the maker's own words (camera raw without maker notes)",
                "attributes", FileKinds(raw), none, none, FileKinds(openexr)},
    PropertyRow{Property::iptc, "IPTC", "attributes",
                FileKinds(png, jpeg, tiff, jpeg2000, psd, raw),
                FileKinds(png, jpeg, tiff, jpeg2000), none, FileKinds(openexr)},
    PropertyRow{Property::xmp, "XMP", "", pictures | FileKinds(heif, gif, psd, raw),
                pictures | FileKinds(heif), none, none},
    PropertyRow{Property::comments, "comments",
                "EXIF; lines of the header; comments in JPEG and JPEG 2000",
                described | FileKinds(gif, hdr, pnm, targa, psd, raw),
                FileKinds(png, tiff, openexr), FileKinds(hdr, pnm, targa, jpeg, jpeg2000),
                FileKinds(jpeg, webp, jpeg2000, codestream, heif, hdr, pnm, targa)},
    PropertyRow{Property::photoshop, "copyright flag, URL, paths, guides and others (Photoshop)",
                "", FileKinds(png, jpeg, tiff, psd), FileKinds(png, jpeg, tiff), none, none},
    PropertyRow{Property::other_chunks, "other chunks (PNG)", "", FileKinds(png), none,
                FileKinds(png), none},
    PropertyRow{Property::georeferencing, "georeferencing (TIFF)", "", FileKinds(tiff), none,
                FileKinds(tiff), none},
    PropertyRow{Property::page_place, "place and number of a page (TIFF)", "", FileKinds(tiff),
                none, FileKinds(tiff), none},
    PropertyRow{Property::private_tags, "private tags (TIFF, developer area of TGA)", "",
                FileKinds(tiff, targa), none, FileKinds(tiff), none},
    PropertyRow{Property::key_color, "key colour (TGA)", "", FileKinds(targa), none,
                FileKinds(targa), none},
    PropertyRow{Property::job_time, "working time (TGA)", "", FileKinds(targa), none,
                FileKinds(targa), none},
    PropertyRow{Property::environment, "environment map, wrap modes (OpenEXR)", "",
                FileKinds(openexr), none, FileKinds(openexr), none},
    PropertyRow{Property::own_numbers, "other numbers in attributes (OpenEXR)", "",
                FileKinds(openexr), none, FileKinds(openexr), none},
    PropertyRow{Property::software, "name of the program", "",
                profiled | FileKinds(hdr, targa, psd, raw), profiled | FileKinds(hdr, targa), none,
                none},
    PropertyRow{Property::time_stamps, "time stamps", "",
                profiled | FileKinds(hdr, targa, psd, raw), profiled | FileKinds(hdr, targa), none,
                none},
    PropertyRow{Property::pages, "pages", "", FileKinds(tiff, jpeg, heif, pnm, psd), none,
                FileKinds(tiff), none},
    PropertyRow{Property::gain_map, "gain map for HDR displays", "", FileKinds(jpeg, heif), none,
                none, none},
    PropertyRow{Property::movie, "movie of a motion photo", "", FileKinds(jpeg, heif), none, none,
                none},
    PropertyRow{Property::frames, "frames of an animation", "", FileKinds(png, gif, webp, heif),
                none, none, none},
    PropertyRow{Property::layers, "layers and parts", "", FileKinds(openexr), none,
                FileKinds(openexr), none},
    PropertyRow{Property::windows, "data and display windows", "", FileKinds(openexr), none,
                FileKinds(openexr), none},
    PropertyRow{Property::levels, "smaller copies (mip-map and rip-map levels)", "",
                FileKinds(openexr, tiff), none, none, none},
    PropertyRow{Property::previews, "preview pictures", "",
                FileKinds(jpeg, tiff, heif, png, webp, jpeg2000, psd, raw), none, none, none,
                false},
};

}  // namespace table

constexpr const PropertyRow& row_of(Property property) {
  return table::rows[static_cast<std::size_t>(property)];
}

/// What becomes of a property of a file that has it. Files of kind `other` may say anything.
constexpr Treatment treatment(Property property, FileKind reader, FileKind writer) {
  const PropertyRow& row = row_of(property);
  if (reader != FileKind::other && !row.carried.has(reader)) return Treatment::absent;
  if (row.kept.has(writer) || (reader == writer && row.kept_alone.has(writer)))
    return Treatment::kept;
  if (row.converted.has(writer)) return Treatment::converted;
  return row.said ? Treatment::dropped : Treatment::omitted;
}

/// By PictureInfo::file_format or FormatInfo::id. PBM, PGM, PPM and PFM files are all `pnm` when
/// they are read: none of them says anything.
FileKind file_kind(std::string_view id);

/// The property's name in sentences.
Message name_of(Property property);

/// The table for the guide, in Markdown: a row for each property, a column for each writable
/// format.
std::string property_page();

}  // namespace sfumato
