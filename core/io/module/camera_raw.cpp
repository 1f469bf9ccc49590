// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What cameras say in raw files: in those that are built like TIFF (DNG, NEF, ARW, CR2 and most
// others), in the picture within Fujifilm's (RAF), and in Canon's boxes (CR3). LibRaw passes on a
// part of it, and zeros for what is missing.
#include "io/module/camera_raw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "io/module.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::uint16_t color_space = 0xa001, orientation_tag = 0x0112;

bool is_like_tiff(Bytes& in) {
  const std::string order = in.text(0, 2);
  return order == "II" || order == "MM";
}

// The picture that a camera of Fujifilm's stores beside the sensor's values.
Bytes picture_in_raf(const std::filesystem::path& path) {
  constexpr std::uint64_t place = 84;
  Bytes in(path, true);
  if (in.text(0, 8) != "FUJIFILM") return Bytes(std::string());
  in.begin_at(in.number(place, 4));
  return in;
}

// The directory of a TIFF file within a box.
TiffEntries entries_in_box(Bytes& in, const Box& box, bool (*wanted)(std::uint16_t), Exif& of) {
  Bytes block(in.text(box.at, box.size));
  const TiffDirectory directory(block);
  of.big_endian = block.big_endian();
  return entries_of(block, directory, wanted, &of.is_damaged);
}

bool every(std::uint16_t) {
  return true;
}

constexpr std::uint64_t uuid_bytes = 16;

bool is_of_canon(Bytes& in) {
  return in.text(4, 8) == "ftypcrx ";
}

// The contents of Canon's own box, which is in that of the movie.
Box canon_box(Bytes& in) {
  constexpr std::string_view of_canon =
      "\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48"sv;
  in.set_big_endian(true);
  const Box own = inner_box(in, inner_box(in, {{}, 0, in.size()}, "moov"), "uuid");
  if (own.size < uuid_bytes || in.text(own.at, uuid_bytes) != of_canon) return {};
  return {own.name, own.at + uuid_bytes, own.size - uuid_bytes};
}

// That box, and XMP in one beside the movie. The notes of the maker (CMT3) are a TIFF file, which
// EXIF has no place for.
void read_canon_boxes(Bytes& in, Metadata& out) {
  constexpr std::string_view of_xmp =
      "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"sv;
  const Box own = canon_box(in), xmp = inner_box(in, {{}, 0, in.size()}, "uuid");
  if (xmp.size > uuid_bytes && in.text(xmp.at, uuid_bytes) == of_xmp) {
    out.xmp = in.text(xmp.at + uuid_bytes, xmp.size - uuid_bytes);
  }
  Exif& exif = out.exif;
  for (const Box& b : boxes_in(in, own.at, own.at + own.size)) {
    if (b.name == "CMT1") exif.image = entries_in_box(in, b, is_described, exif);
    if (b.name == "CMT2") exif.photo = entries_in_box(in, b, every, exif);
    if (b.name == "CMT4") exif.gps = entries_in_box(in, b, every, exif);
  }
}

int orientation_in(Bytes& in) {
  int type = 0;
  const std::string value = tiff_bytes(in, TiffDirectory(in), orientation_tag, type);
  if (value.size() != 2) return 1;
  return std::clamp<int>(static_cast<unsigned char>(value[in.big_endian() ? 1 : 0]), 1, 8);
}

}  // namespace

Metadata metadata_in_raw(const std::filesystem::path& path) {
  Metadata out;
  Bytes in(path, false);
  if (is_like_tiff(in)) {
    read_tiff_metadata(in, 0, out);
  } else if (is_of_canon(in)) {
    read_canon_boxes(in, out);
  } else if (Bytes jpeg = picture_in_raf(path); jpeg.size() > 0) {
    read_jpeg_metadata(jpeg, out);
  }
  // Of the sensor's values; LibRaw makes a picture on sRGB.
  out.exif.photo.erase(color_space);
  out.exif.interoperability.clear();
  std::erase_if(out.exif.image, [](const auto& one) { return is_of_colors(one.first); });
  out.tags.clear();
  out.tags_are_cut = false;
  return out;
}

int orientation_in_raw(const std::filesystem::path& path) {
  Bytes in(path, false);
  if (is_like_tiff(in)) return orientation_in(in);
  std::string block;
  if (is_of_canon(in)) {
    const Box image = inner_box(in, canon_box(in), "CMT1");
    block = in.text(image.at, image.size);
  } else {
    Bytes jpeg = picture_in_raf(path);
    std::uint64_t end = 0;
    for (const Segment& s : head_of_jpeg(jpeg, end)) {
      if (s.marker != jpeg_app1 || !s.begins(jpeg, exif_mark)) continue;
      block = s.body(jpeg).substr(exif_mark.size());
      break;
    }
  }
  Bytes tiff(block);
  return orientation_in(tiff);
}

void settle_raw(OIIO::ImageSpec& spec) {
  constexpr std::array may_be_missing = {
      "ExposureTime"sv,           "FNumber"sv,           "Exif:ApertureValue"sv,
      "Exif:ShutterSpeedValue"sv, "Exif:FocalLength"sv,  "Exif:Flash"sv,
      "Exif:ISOSpeedRatings"sv,   "Exif:ExposureTime"sv, "Exif:FNumber"sv};
  for (const std::string_view one : may_be_missing) {
    const std::string name(one);
    const float value = spec.get_float_attribute(name);
    if (value == 0 || !std::isfinite(value)) spec.erase_attribute(name);
  }
  // Seconds since 1970; 0 if there is no date.
  std::string date(spec.get_string_attribute("DateTime"));
  constexpr std::size_t length = 19;
  if (date.starts_with("1970") || date.starts_with("1969")) return spec.erase_attribute("DateTime");
  if (date.size() != length) return;
  date[4] = date[7] = ':';
  spec.attribute("DateTime", date);
}

bool says_by_maker(const OIIO::ImageSpec& spec) {
  constexpr std::array makers = {"canon:"sv,     "fujifilm:"sv, "hasselblad:"sv,
                                 "kodak:"sv,     "nikon:"sv,    "olympus:"sv,
                                 "panasonic:"sv, "pentax:"sv,   "sony:"sv};
  return std::any_of(spec.extra_attribs.begin(), spec.extra_attribs.end(), [&](const auto& p) {
    const std::string name = lower(p.name().string());
    return std::any_of(makers.begin(), makers.end(),
                       [&](std::string_view maker) { return name.starts_with(maker); });
  });
}

}  // namespace sfumato::files
