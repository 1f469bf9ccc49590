// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// IPTC (IIM 4.2) as attributes of an OpenEXR file, which XMP does not replace, and the numbers of
// what has no attribute.
#include <OpenImageIO/tiffutils.h>

#include <map>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

const std::string iptc_prefix = "sfumato:iptc:", iptc_beside = "sfumato:iptc_beside";

constexpr int envelope = 1, application = 2;

// The data sets by record and number, those of one together.
std::map<std::pair<int, int>, std::string> data_sets_in(const std::string& iptc) {
  constexpr std::size_t head = 5;
  std::map<std::pair<int, int>, std::string> out;
  for (std::size_t at = 0; at + head <= iptc.size() && iptc[at] == 0x1c;) {
    const auto size = static_cast<std::size_t>(big_endian_at(iptc, at + 3, 2));
    // Longer ones say so by the first bit, and are no texts.
    if (size > 0x7fff || size > iptc.size() - at - head) break;
    out[{static_cast<unsigned char>(iptc[at + 1]), static_cast<unsigned char>(iptc[at + 2])}] +=
        iptc.substr(at, head + size);
    at += head + size;
  }
  return out;
}

// Versions, the character set, and how a picture or its preview is stored.
bool is_of_storage(int record, int number) {
  constexpr int file_format = 20, format_version = 22, character_set = 90, preview = 200;
  if (number == 0) return true;
  if (record == envelope) {
    return number == file_format || number == format_version || number == character_set;
  }
  return record == application && number >= preview;
}

}  // namespace

void note_iptc(const std::string& iptc, ImageSpec& spec) {
  constexpr int keywords = 25;
  std::string names;
  for (const auto& [place, bytes] : data_sets_in(iptc)) {
    const auto [record, number] = place;
    if (is_of_storage(record, number)) continue;
    ImageSpec said;
    OIIO::decode_iptc_iim(bytes.data(), static_cast<int>(bytes.size()), said);
    make_texts_utf8(said);
    bool any = record == application && number == keywords;
    for (const OIIO::ParamValue& p : said.extra_attribs) {
      const std::string name = p.name().string();
      if (lower(name).rfind("iptc:", 0) != 0) continue;
      spec.attribute(iptc_prefix + name, p.type(), p.data());
      any = true;
    }
    if (any) continue;
    names += (names.empty() ? "" : ", ") + std::to_string(record) + ":" + std::to_string(number);
  }
  if (!names.empty()) spec.attribute(iptc_beside, names);
}

std::string take_iptc(const ImageSpec& noted, ImageSpec& spec) {
  for (const OIIO::ParamValue& p : noted.extra_attribs) {
    if (p.name().string().rfind(iptc_prefix, 0) != 0) continue;
    const std::string name = p.name().string().substr(iptc_prefix.size());
    spec.erase_attribute(name);
    spec.attribute(name, p.type(), p.data());
  }
  return std::string(noted.get_string_attribute(iptc_beside));
}

}  // namespace sfumato::files
