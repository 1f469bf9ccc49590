// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The boxes of a JP2 file: size, colours, opacity, resolution and metadata.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/module/embedded.hpp"
#include "io/module/jpeg2000.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;
using OIIO::ImageSpec;
using OIIO::TypeDesc;

// The boxes' names by which exiftool and others know EXIF, XMP and IPTC.
constexpr std::string_view exif_uuid = "JpgTiffExif->JP2"sv;
constexpr std::string_view xmp_uuid =
    "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"sv;
constexpr std::string_view iptc_uuid =
    "\x33\xc7\xa4\xd2\xb8\x1d\x47\x23\xa0\xba\xf1\xa3\xe0\x97\xad\x38"sv;
constexpr double per_metre = 100 / 2.54;  // of one per inch

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  append_big_endian(out, static_cast<std::size_t>(value), bytes);
  return out;
}

std::string box(std::string_view name, const std::string& body) {
  return number(body.size() + 8, 4).append(name).append(body);
}

std::string uuid_box(std::string_view uuid, const std::string& body) {
  return body.empty() ? std::string() : box("uuid", std::string(uuid).append(body));
}

std::string colour_box(const ImageSpec& spec) {
  if (const OIIO::ParamValue* profile = spec.find_attribute("ICCProfile")) {
    const auto* bytes = static_cast<const char*>(profile->data());
    return box(
        "colr",
        std::string("\2\0\0", 3).append(bytes, static_cast<std::size_t>(profile->datasize())));
  }
  constexpr int srgb = 16, gray = 17, exact = 0, poor = 4;
  const bool said = spec.get_string_attribute("oiio:ColorSpace") == "sRGB";
  return box("colr", number(1, 1) + number(0, 1) +
                         number(static_cast<std::uint64_t>(said ? exact : poor), 1) +
                         number(static_cast<std::uint64_t>(spec.nchannels < 3 ? gray : srgb), 4));
}

// Says that the fourth channel is the opacity of all others, which are not multiplied by it.
std::string channels_box() {
  std::string out = number(4, 2);
  for (std::uint64_t i = 0; i < 4; ++i) {
    out += number(i, 2) + number(i == 3 ? 1 : 0, 2) + number(i == 3 ? 0 : i + 1, 2);
  }
  return box("cdef", out);
}

// Whole pixels per metre, if there are no whole ones per inch; else 0.
std::uint64_t whole_per_metre(double inch) {
  constexpr double of_float = 2e-7;  // what is rounded
  const double exact = inch * per_metre, whole = std::round(exact);
  if (inch == std::round(inch) || std::abs(exact - whole) > of_float * exact) return 0;
  return whole <= std::numeric_limits<std::uint16_t>::max() ? static_cast<std::uint64_t>(whole) : 0;
}

std::string resolution_box(const ImageSpec& spec) {
  const double unit = spec.get_string_attribute("ResolutionUnit") == "cm" ? 2.54 : 1;
  const double x = spec.get_float_attribute("XResolution") * unit,
               y = spec.get_float_attribute("YResolution") * unit;
  if (x <= 0 || y <= 0 || spec.find_attribute("ResolutionUnit") == nullptr) return {};
  // Fractions of two numbers of 16 bits, times a power of ten: 300 per inch are 30000/254 * 100.
  std::string fractions, powers;
  for (const double one : {y, x}) {
    if (const std::uint64_t metre = whole_per_metre(one); metre > 0) {
      fractions += number(metre, 2) + number(1, 2);
      powers += '\0';
      continue;
    }
    double above = one;
    int power = 4;
    while (above * 10 <= std::numeric_limits<std::uint16_t>::max() && power > -100) {
      above *= 10;
      --power;
    }
    for (; above > std::numeric_limits<std::uint16_t>::max(); ++power) above /= 10;
    fractions += number(static_cast<std::uint64_t>(std::lround(above)), 2) + number(254, 2);
    powers += number(static_cast<std::uint64_t>(power & 0xff), 1);
  }
  return box("res ", box("resc", fractions + powers));
}

void read_resolution(Bytes& in, const Box& header, ImageSpec& spec) {
  for (const Box& b : boxes_in(in, header.at, header.at + header.size)) {
    if (b.name != "res ") continue;
    for (const Box& r : boxes_in(in, b.at, b.at + b.size)) {
      const auto value = [&](std::uint64_t fraction, std::uint64_t power) {
        const auto below = static_cast<double>(in.number(r.at + fraction + 2, 2));
        const auto ten = static_cast<signed char>(in.number(r.at + power, 1));
        const auto above = static_cast<double>(in.number(r.at + fraction, 2));
        return below > 0 ? above / below * std::pow(10.0, ten) : 0.0;
      };
      if (r.size < 10) continue;
      spec.attribute("YResolution", static_cast<float>(value(0, 8)));
      spec.attribute("XResolution", static_cast<float>(value(4, 9)));
      spec.attribute("ResolutionUnit", "m");
    }
  }
}

void read_uuid(const std::string& uuid, const std::string& body, ImageSpec& spec) {
  const TypeDesc bytes(TypeDesc::UINT8, static_cast<int>(body.size()));
  if (body.empty()) return;
  if (uuid == exif_uuid) {
    OIIO::decode_exif(body, spec);
    spec.attribute("sfumato:exif", bytes, body.data());
  } else if (uuid == xmp_uuid) {
    decode_xmp_of_file(body, spec);
    spec.attribute("sfumato:xmp", body);
  } else if (uuid == iptc_uuid) {
    OIIO::decode_iptc_iim(body.data(), static_cast<int>(body.size()), spec);
    spec.attribute("sfumato:iptc", bytes, body.data());
  }
}

// Boxes about the picture that nothing is read of: places on the earth, copyright, layers of JPX.
bool is_left_out(const Box& b, Bytes& in) {
  constexpr std::array taken = {"jP  ", "ftyp", "jp2h", "jp2c", "free", "rreq"};
  if (b.name != "uuid") return std::find(taken.begin(), taken.end(), b.name) == taken.end();
  const std::string uuid = in.text(b.at, 16);
  return uuid != exif_uuid && uuid != xmp_uuid && uuid != iptc_uuid;
}

}  // namespace

std::string jp2_boxes(const ImageSpec& spec, const Metadata& metadata) {
  const int bits = spec.format == TypeDesc::UINT16 ? 16 : 8;
  std::string header = box("ihdr", number(static_cast<std::uint64_t>(spec.height), 4) +
                                       number(static_cast<std::uint64_t>(spec.width), 4) +
                                       number(static_cast<std::uint64_t>(spec.nchannels), 2) +
                                       number(static_cast<std::uint64_t>(bits - 1), 1) +
                                       number(7, 1) + number(0, 2));
  header += colour_box(spec);
  if (spec.nchannels == 4) header += channels_box();
  header += resolution_box(spec);
  return box("jP  ", "\r\n\x87\n") + box("ftyp", std::string("jp2 \0\0\0\0jp2 ", 12)) +
         box("jp2h", header) + uuid_box(exif_uuid, exif_block(metadata.exif)) +
         uuid_box(xmp_uuid, metadata.xmp) + uuid_box(iptc_uuid, metadata.iptc) + number(0, 4) +
         "jp2c";
}

void read_jp2_boxes(const std::filesystem::path& path, ImageSpec& spec) {
  Bytes in(path, true);
  if (in.text(4, 4) != "jP  ") return;
  std::string others;
  for (const Box& b : boxes_in(in, 0, in.size())) {
    if (b.name == "jp2h") read_resolution(in, b, spec);
    if (is_left_out(b, in)) others += (others.empty() ? "" : ", ") + b.name;
    if (b.name == "uuid" && b.size > 16) {
      read_uuid(in.text(b.at, 16), in.text(b.at + 16, b.size - 16), spec);
    }
  }
  if (!others.empty()) spec.attribute("sfumato:others", others);
}

}  // namespace sfumato::files
