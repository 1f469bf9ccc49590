// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names of properties, and the page about them.
#include "io/properties.hpp"

#include <algorithm>

namespace sfumato {
namespace {

// In the order of FileKind.
constexpr std::array<std::string_view, 16> ids = {
    "png",      "jpeg", "tiff", "openexr", "webp",  "pnm", "pfm", "hdr",
    "jpeg2000", "j2k",  "heif", "bmp",     "targa", "gif", "psd", "raw"};
constexpr std::array<std::string_view, 16> names = {"PNG",
                                                    "JPEG",
                                                    "TIFF",
                                                    "OpenEXR",
                                                    "WebP",
                                                    "PNM",
                                                    "PFM",
                                                    "HDR",
                                                    "JPEG 2000 (.jp2)",
                                                    "JPEG 2000 (.j2k)",
                                                    "HEIF, AVIF",
                                                    "BMP",
                                                    "TGA",
                                                    "GIF",
                                                    "PSD",
                                                    "camera raw"};
constexpr std::size_t writable = 13;

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < table::rows.size(); ++i) {
    if (table::rows[i].property != static_cast<Property>(i)) return false;
  }
  return table::rows.size() == static_cast<std::size_t>(Property::previews) + 1;
}
static_assert(rows_are_in_order());

std::string readers_of(const PropertyRow& row) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!row.carried.has(static_cast<FileKind>(i))) continue;
    out.append(out.empty() ? "" : ", ").append(names[i]);
  }
  return out;
}

// What a writer does, whatever it was read from.
std::string_view cell(const PropertyRow& row, FileKind writer) {
  if (row.kept.has(writer)) return "kept";
  const bool alone = row.kept_alone.has(writer);
  if (row.converted.has(writer)) return alone ? "kept or converted" : "converted";
  if (alone) return "kept";
  return row.said ? "warning" : "left out";
}

}  // namespace

FileKind file_kind(std::string_view id) {
  if (id == "netpbm") return FileKind::pnm;
  if (id == "avif") return FileKind::heif;
  const auto found = std::find(ids.begin(), ids.end(), id);
  return static_cast<FileKind>(found - ids.begin());
}

namespace {

// Of what else is in a file than one picture.
Message name_of_others(Property property) {
  switch (property) {
    case Property::pages:
      return message({"property.pages", "the other pages"});
    case Property::gain_map:
      return message({"property.gain_map", "the gain map"});
    case Property::movie:
      return message({"property.movie", "the movie"});
    case Property::frames:
      return message({"property.frames", "the other frames"});
    case Property::layers:
      return message({"property.layers", "the other layers and parts"});
    case Property::windows:
      return message({"property.windows", "the display window"});
    case Property::levels:
      return message({"property.levels", "smaller copies (mip-map or rip-map levels)"});
    default:
      return message({"property.previews", "preview pictures"});
  }
}

// Of what is no colour.
Message name_of_words(Property property) {
  switch (property) {
    case Property::resolution:
      return message({"property.resolution", "the resolution"});
    case Property::pixel_aspect:
      return message({"property.pixel_aspect", "the shape of its pixels"});
    case Property::orientation:
      return message({"property.orientation", "the orientation"});
    case Property::exposure:
      return message({"property.exposure", "the exposure that the header states"});
    case Property::sample_scale:
      return message({"property.sample_scale", "the scale that the header states"});
    case Property::mastering:
      return message({"property.mastering", "the mastering display and the light level"});
    case Property::exif:
      return message({"property.exif", "EXIF metadata"});
    case Property::maker_words:
      return message({"property.maker_words", "what the camera's maker says in words of its own"});
    case Property::iptc:
      return message({"property.iptc", "IPTC metadata"});
    case Property::xmp:
      return message({"property.xmp", "XMP metadata"});
    case Property::comments:
      return message({"property.comments", "comments"});
    case Property::photoshop:
      return message({"property.photoshop",
                      "Photoshop's resources, such as copyright flag, URL, paths or guides"});
    case Property::other_chunks:
      return message({"property.other_chunks", "other chunks"});
    case Property::georeferencing:
      return message({"property.georeferencing", "georeferencing"});
    case Property::page_place:
      return message({"property.page_place", "the page's place and number"});
    case Property::private_tags:
      return message({"property.private_tags", "private tags"});
    case Property::key_color:
      return message({"property.key_color", "the key colour"});
    case Property::job_time:
      return message({"property.job_time", "the working time"});
    case Property::environment:
      return message({"property.environment", "what it says as an environment map or texture"});
    case Property::own_numbers:
      return message({"property.own_numbers", "other numbers in attributes"});
    case Property::software:
      return message({"property.software", "the name of the program"});
    case Property::time_stamps:
      return message({"property.time_stamps", "time stamps"});
    default:
      return name_of_others(property);
  }
}

}  // namespace

Message name_of(Property property) {
  switch (property) {
    case Property::min_is_white:
      return message({"property.min_is_white", "that zero means white"});
    case Property::palette:
      return message({"property.palette", "the palette"});
    case Property::alpha:
      return message({"property.alpha", "transparency"});
    case Property::icc_profile:
      return message({"property.icc_profile", "the ICC profile"});
    case Property::cicp:
      return message({"property.cicp", "the colours that cICP names"});
    case Property::gamma_and_primaries:
      return message({"property.gamma_and_primaries", "the colours that gAMA and cHRM name"});
    case Property::chromaticities:
      return message({"property.chromaticities", "the primaries"});
    case Property::nclx:
      return message({"property.nclx", "the colours that nclx names"});
    case Property::header_colors:
      return message({"property.header_colors", "the colours that the header names"});
    case Property::exif_color_space:
      return message({"property.exif_color_space", "Adobe RGB"});
    default:
      return name_of_words(property);
  }
}

std::string property_page() {
  std::string out = "| what | read from |";
  for (std::size_t i = 0; i < writable; ++i) out.append(" ").append(names[i]).append(" |");
  out += "\n|---|---|";
  for (std::size_t i = 0; i < writable; ++i) out += "---|";
  out += '\n';
  for (const PropertyRow& row : table::rows) {
    out.append("| ").append(row.name);
    if (!row.into.empty()) out.append(" (converted into: ").append(row.into).append(")");
    out.append(" | ").append(readers_of(row)).append(" |");
    for (std::size_t i = 0; i < writable; ++i) {
      out.append(" ").append(cell(row, static_cast<FileKind>(i))).append(" |");
    }
    out += '\n';
  }
  return out;
}

}  // namespace sfumato
