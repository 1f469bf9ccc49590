// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// EXIF (JEITA CP-3451) as attributes of an OpenEXR file: texts that XMP and IPTC do not replace,
// and the names of what has no attribute.
#include <algorithm>
#include <array>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
#include "io/module/exif_names.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

const std::string exif_prefix = "sfumato:exif:", exif_beside = "sfumato:exif_beside";

constexpr std::array<std::pair<std::uint16_t, const char*>, 9> exif_texts = {
    {{0x010d, "DocumentName"},
     {0x010e, "ImageDescription"},
     {0x010f, "Make"},
     {0x0110, "Model"},
     {0x011d, "PageName"},
     {0x0131, "Software"},
     {0x013b, "Artist"},
     {0x013c, "HostComputer"},
     {0x8298, "Copyright"}}};

// How samples are stored, their size, the version of EXIF; and the comment, which is read
// elsewhere.
constexpr std::array<std::uint16_t, 9> not_described = {0x9000, 0x9101, 0x9102, 0x9286, 0xa000,
                                                        0xa001, 0xa002, 0xa003, 0xa005};

// A text that XMP and IPTC do not replace. False for others.
bool note_text(std::uint16_t tag, const TiffEntry& entry, ImageSpec& spec) {
  constexpr int ascii_text = 2;
  const auto found = std::find_if(exif_texts.begin(), exif_texts.end(),
                                  [tag](const auto& one) { return one.first == tag; });
  if (found == exif_texts.end() || entry.type != ascii_text) return false;
  const std::string text = text_in(entry);
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
  constexpr std::uint16_t date = 0x0132;
  std::string names;
  for (const auto directory : {&Exif::image, &Exif::photo, &Exif::gps}) {
    for (const auto& [tag, entry] : exif.*directory) {
      if (!is_described_in(directory, tag)) continue;
      const bool image = directory == &Exif::image;
      if (image && tag == date && text_in(entry) == spec.get_string_attribute("DateTime")) continue;
      if (image && note_text(tag, entry, spec)) continue;
      if (const auto said = attribute_of(exif, directory, tag)) {
        spec.attribute(exif_prefix + said->name().string(), said->type(), said->data());
      } else {
        names += (names.empty() ? "" : ", ") + name_of_entry(directory, tag);
      }
    }
  }
  if (!names.empty()) spec.attribute(exif_beside, names);
}

std::string take_exif(const ImageSpec& noted, ImageSpec& spec) {
  for (const OIIO::ParamValue& p : noted.extra_attribs) {
    if (p.name().string().rfind(exif_prefix, 0) != 0) continue;
    const std::string name = p.name().string().substr(exif_prefix.size());
    spec.erase_attribute(name);
    spec.attribute(name, p.type(), p.data());
  }
  return std::string(noted.get_string_attribute(exif_beside));
}

}  // namespace sfumato::files
