// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// EXIF (JEITA CP-3451) as attributes of an OpenEXR file: texts that XMP and IPTC do not replace,
// and the names of what has no attribute.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

const std::string exif_prefix = "sfumato:exif:", exif_beside = "sfumato:exif_beside";

constexpr std::array<std::pair<std::uint16_t, const char*>, 7> exif_texts = {
    {{0x010d, "DocumentName"},
     {0x010e, "ImageDescription"},
     {0x011d, "PageName"},
     {0x0131, "Software"},
     {0x013b, "Artist"},
     {0x013c, "HostComputer"},
     {0x8298, "Copyright"}}};

// As exiftool names them.
constexpr std::array<std::pair<std::uint16_t, const char*>, 9> exif_names = {
    {{0x000b, "ProcessingSoftware"},
     {0x4746, "Rating"},
     {0x4749, "RatingPercent"},
     {0x927c, "MakerNote"},
     {0x9c9b, "XPTitle"},
     {0x9c9c, "XPComment"},
     {0x9c9d, "XPAuthor"},
     {0x9c9e, "XPKeywords"},
     {0x9c9f, "XPSubject"}}};

// How samples are stored, their size, the version of EXIF; and the comment, which is read
// elsewhere.
constexpr std::array<std::uint16_t, 9> not_described = {0x9000, 0x9101, 0x9102, 0x9286, 0xa000,
                                                        0xa001, 0xa002, 0xa003, 0xa005};

std::string name_of_tag(std::uint16_t tag) {
  const auto found = std::find_if(exif_names.begin(), exif_names.end(),
                                  [tag](const auto& one) { return one.first == tag; });
  if (found != exif_names.end()) return found->second;
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "0x%04x", static_cast<unsigned>(tag));
  return digits.data();
}

// The attributes of an entry; none if OpenImageIO does not know it. A camera maker's note is not
// looked into.
ImageSpec said_by(std::uint16_t tag, const TiffEntry& entry, TiffEntries Exif::*directory) {
  constexpr std::uint16_t maker_note = 0x927c;
  ImageSpec said;
  if (tag == maker_note) return said;
  Exif alone;
  (alone.*directory)[tag] = entry;
  OIIO::decode_exif(exif_block(alone), said);
  make_texts_utf8(said);
  return said;
}

// A text that XMP and IPTC do not replace. False for others.
bool note_text(std::uint16_t tag, const TiffEntry& entry, ImageSpec& spec) {
  constexpr int ascii_text = 2;
  const auto found = std::find_if(exif_texts.begin(), exif_texts.end(),
                                  [tag](const auto& one) { return one.first == tag; });
  if (found == exif_texts.end() || entry.type != ascii_text) return false;
  const std::string text = utf8_of(entry.value.substr(0, entry.value.find('\0')));
  if (!text.empty()) spec.attribute(exif_prefix + found->second, text);
  return true;
}

bool is_described_in(TiffEntries Exif::*directory, std::uint16_t tag) {
  constexpr std::uint16_t version_of_gps = 0;
  if (directory == &Exif::gps) return tag != version_of_gps;
  return std::find(not_described.begin(), not_described.end(), tag) == not_described.end();
}

}  // namespace

void note_exif(const Exif& exif, ImageSpec& spec) {
  std::string names;
  for (const auto directory : {&Exif::image, &Exif::photo, &Exif::gps}) {
    for (const auto& [tag, entry] : exif.*directory) {
      if (!is_described_in(directory, tag)) continue;
      if (directory == &Exif::image && note_text(tag, entry, spec)) continue;
      const ImageSpec said = said_by(tag, entry, directory);
      for (const OIIO::ParamValue& p : said.extra_attribs) {
        spec.attribute(exif_prefix + p.name().string(), p.type(), p.data());
      }
      if (said.extra_attribs.empty()) names += (names.empty() ? "" : ", ") + name_of_tag(tag);
    }
  }
  if (!names.empty()) spec.attribute(exif_beside, names);
}

std::string take_exif(const ImageSpec& noted, ImageSpec& spec) {
  for (const OIIO::ParamValue& p : noted.extra_attribs) {
    if (p.name().string().rfind(exif_prefix, 0) != 0) continue;
    const std::string name = p.name().string().substr(exif_prefix.size());
    const bool first = std::any_of(exif_texts.begin(), exif_texts.end(),
                                   [&](const auto& one) { return one.second == name; });
    if (first || spec.find_attribute(name) == nullptr) spec.attribute(name, p.type(), p.data());
  }
  return std::string(noted.get_string_attribute(exif_beside));
}

}  // namespace sfumato::files
