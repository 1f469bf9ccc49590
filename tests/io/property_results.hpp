// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Copies of the files of properties, and what exiftool and their bytes say of them.
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "io/property_inputs.hpp"

namespace sfumato::testing {

using enum Property;
using enum FileKind;

inline constexpr std::array readers = {png,      jpeg, tiff,  openexr, webp, gif, heif,
                                       jpeg2000, bmp,  targa, hdr,     psd,  pnm, raw};
// Of one kind may be several.
inline constexpr std::array writers = {"png", "jpg", "tif", "exr",  "webp", "ppm", "pfm",
                                       "hdr", "jp2", "j2k", "heic", "avif", "bmp", "tga"};

inline FileKind kind_of(const std::string& extension) {
  return file_kind(format_of("a." + extension)->id);
}

// A copy, what was said about it, and what others find in it.
struct Result {
  std::filesystem::path path;
  std::vector<Message> said;
  QJsonObject tags;
  QByteArray profile;
  std::array<double, 8> corners{};  // red, green, blue and alpha of the first row's two ends

  bool says(const std::string& id) const {
    return std::any_of(said.begin(), said.end(), [&](const Message& m) { return m.id == id; });
  }
  QString tag(const char* name) const { return tags[name].toVariant().toString(); }
};

// Whether the sentence about dropped metadata names this property.
inline bool names(const Message& sentence, Property property) {
  const MessageValue* value = sentence.find("properties");
  const std::string text = value == nullptr || value->sentence() == nullptr
                               ? std::string()
                               : in_english(*value->sentence());
  return text.find(in_english(name_of(property))) != std::string::npos;
}

// The sentences by which the loss of a property may be said.
inline std::vector<std::string> sentences_of(Property property) {
  switch (property) {
    case alpha:
      return {"format.over_white", "format.over_black"};
    case icc_profile:
    case cicp:
    case gamma_and_primaries:
    case chromaticities:
    case nclx:
    case header_colors:
    case exif_color_space:
      return {"format.no_profile"};
    case orientation:
      return {"format.no_orientation"};
    case pages:
      return {"format.first_picture", "file.several_pictures"};
    case gain_map:
      return {"file.gain_map"};
    case movie:
      return {"file.movie_attached"};
    case frames:
      return {"file.animation", "file.animation_beside", "format.first_picture"};
    case layers:
      return {"format.channels_lost"};
    case windows:
      return {"format.no_window"};
    case levels:
      return {"file.smaller_copies"};
    case other_chunks:
      return {"format.no_chunks"};
    default:
      return {"format.drops"};
  }
}

inline bool is_said(const Result& result, Property property) {
  const auto ids = sentences_of(property);
  return std::any_of(result.said.begin(), result.said.end(), [&](const Message& m) {
    if (std::find(ids.begin(), ids.end(), m.id) == ids.end()) return false;
    return m.id != "format.drops" || names(m, property);
  });
}

inline bool near(double a, double b, double tolerance = 0.03) {
  return std::abs(a - b) <= tolerance;
}

// Whether the file says that its red is at this x: in XYZ adapted to D50 in a profile, or as it is
// in OpenEXR.
inline bool has_red(const Result& r, double in_profile, double own) {
  if (r.path.extension() == ".exr") {
    return near(r.tag("OpenEXR:Chromaticities").section(' ', 0, 0).toDouble(), own, 1e-3);
  }
  if (r.path.extension() == ".hdr") {
    const std::string bytes = content(r.path), name = "\nPRIMARIES= ";
    const std::size_t at = bytes.find(name);
    return at != std::string::npos &&
           near(QByteArray::fromStdString(bytes.substr(at + name.size(), 9))
                    .split(' ')[0]
                    .toDouble(),
                own, 1e-3);
  }
  return near(r.tag("ICC_Profile:RedMatrixColumn").section(' ', 0, 0).toDouble(), in_profile, 2e-3);
}

// ITU-R BT.2020, by its number in HEIF.
inline bool has_rec2020(const Result& r, FileKind writer) {
  if (writer == heif) return r.tags["QuickTime:ColorPrimaries"].toInt() == 9 && r.profile.isEmpty();
  return has_red(r, 0.6735, 0.708);
}

inline bool has_resolution(const Result& r, FileKind writer) {
  const bool tags = near(r.tags["IFD0:XResolution"].toDouble(), 300, 1e-3) &&
                    r.tags["IFD0:ResolutionUnit"].toInt() == 2;
  switch (writer) {
    case png:
      return r.tags["PNG-pHYs:PixelsPerUnitX"].toInt() == 11811 &&
             r.tags["PNG-pHYs:PixelUnits"].toInt() == 1;
    case jpeg:
      return tags && r.tags["JFIF:XResolution"].toInt() == 300 &&
             r.tags["JFIF:ResolutionUnit"].toInt() == 1;
    case openexr:
      return near(r.tags["OpenEXR:XResolution"].toDouble(), 300, 1e-3);
    case jpeg2000:
      return tags && r.tags["Jpeg2000:CaptureXResolutionUnit"].toInt() == 2 &&
             near(r.tags["Jpeg2000:CaptureXResolution"].toDouble(), 118.11, 0.01);
    case bmp:
      return r.tags["File:PixelsPerMeterX"].toInt() == 11811;
    default:
      return tags;
  }
}

// 16 x 12 pixels lie on their side, and nothing asks for turning them once more.
inline bool is_turned(const Result& r) {
  return r.tag("QuickTime:ImageSpatialExtent") == "12 16" && !r.tags.contains("IFD0:Orientation") &&
         !r.tags.contains("QuickTime:Rotation");
}

inline bool is_among(const Result& r, std::initializer_list<const char*> tags,
                     const QString& value) {
  return std::any_of(tags.begin(), tags.end(),
                     [&](const char* tag) { return r.tag(tag) == value; });
}

inline bool contains(const Result& r, const std::string& text) {
  return content(r.path).find(text) != std::string::npos;
}

inline bool has_text(const Result& r, const char* text) {
  const std::string extension = r.path.extension();
  const bool in_bytes = extension == ".exr" || extension == ".hdr" || extension == ".ppm";
  if (in_bytes || extension == ".tga") return contains(r, text);
  // A codestream's comment is in ISO 8859-15, which exiftool takes for UTF-8.
  if (extension == ".j2k" || extension == ".jp2") {
    if (contains(r, QString(text).toLatin1().toStdString())) return true;
  }
  const std::array tags = {"IFD0:ImageDescription", "PNG:Description", "PNG:Comment",
                           "ExifIFD:UserComment", "File:Comment"};
  return std::any_of(tags.begin(), tags.end(),
                     [&](const char* tag) { return r.tag(tag).endsWith(text); });
}

inline double ratio(const Result& r, const char* of, const char* to) {
  return r.tags[of].toDouble() / r.tags[to].toDouble();
}

// Twice as wide as high.
inline bool is_wide(const Result& r, FileKind writer) {
  switch (writer) {
    case png:
      return near(ratio(r, "PNG-pHYs:PixelsPerUnitY", "PNG-pHYs:PixelsPerUnitX"), 2, 1e-3);
    case jpeg:
      return near(ratio(r, "JFIF:YResolution", "JFIF:XResolution"), 2, 1e-3);
    case tiff:
      return near(ratio(r, "IFD0:YResolution", "IFD0:XResolution"), 2, 1e-3);
    case openexr:
      return r.tag("OpenEXR:PixelAspectRatio") == "2";
    case hdr:
      return contains(r, "\nPIXASPECT= 0.5\n");
    case heif:
      return r.tag("QuickTime:PixelAspectRatio") == "2 1";
    default:
      return near(targa_shape(content(r.path)), 2, 1e-3);
  }
}

// In HEIF green comes first, and the level is in whole candelas.
inline bool has_light(const Result& r, FileKind writer) {
  const std::string data = mastering_data();
  if (writer == png) {
    return chunk_of(content(r.path), "mDCV") == data &&
           chunk_of(content(r.path), "cLLI") == level_data();
  }
  return contains(r, "mdcv" + data.substr(4, 8) + data.substr(0, 4) + data.substr(12)) &&
         contains(r, "clli" + big_endian_bytes(1000, 2) + big_endian_bytes(400, 2));
}

}  // namespace sfumato::testing
