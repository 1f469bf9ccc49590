// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours that headers state: TIFF's white point, primaries and transfer function, Radiance's
// primaries, and the numbered colour spaces of JPEG 2000.
#include <cmath>

#include "io/module/embedded.hpp"
#include "io/module/radiance.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

// The numbers of an entry: shorts, longs, fractions or floats; empty for other types.
std::vector<double> tiff_numbers(Bytes& in, const TiffDirectory& directory, std::uint16_t tag) {
  constexpr int tiff_short = 3, fraction = 5, tiff_float = 11;
  int type = 0;
  std::string bytes = tiff_bytes(in, directory, tag, type);
  if (in.big_endian()) swap_tiff_value(bytes, type);
  const auto at = [&bytes](std::size_t place, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(bytes[place + i]);
    }
    return value;
  };
  std::vector<double> out;
  const std::size_t step = type == tiff_short ? 2 : type == fraction ? 8 : 4;
  if (type != tiff_short && type != tiff_long && type != fraction && type != tiff_float) return out;
  for (std::size_t i = 0; i + step <= bytes.size(); i += step) {
    const std::uint32_t first = at(i, std::min<std::size_t>(step, 4));
    if (type == fraction) {
      const std::uint32_t below = at(i + 4, 4);
      out.push_back(below == 0 ? 0 : static_cast<double>(first) / below);
    } else if (type == tiff_float) {
      float value = 0;
      std::memcpy(&value, &first, sizeof value);
      out.push_back(static_cast<double>(value));
    } else {
      out.push_back(first);
    }
  }
  return out;
}

double srgb_light(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

// The curve of a table of light from 0 to 65535: sRGB's, a power or none; nullopt for others.
std::optional<Coding> curve_of_table(const std::vector<double>& table, std::size_t size) {
  constexpr double tolerance = 0.004, most = 65535;
  const auto last = static_cast<double>(size - 1);
  const std::size_t middle = size / 2;
  const double gamma =
      std::log(table[middle] / most) / std::log(static_cast<double>(middle) / last);
  bool power = gamma > 0.1 && gamma < 10, srgb = true;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double code = static_cast<double>(i % size) / last, light = table[i] / most;
    srgb = srgb && std::abs(light - srgb_light(code)) <= tolerance;
    power = power && std::abs(light - std::pow(code, gamma)) <= tolerance;
  }
  if (srgb) return Coding::srgb();
  if (!power) return std::nullopt;
  return std::abs(gamma - 1) < 0.01 ? Coding::linear() : Coding::power(static_cast<float>(gamma));
}

// One table for all channels, or three.
std::optional<Coding> curve_of_tiff(const std::vector<double>& tables) {
  for (const std::size_t size : {std::size_t{16}, std::size_t{256}, std::size_t{65536}}) {
    if (tables.size() == size || tables.size() == 3 * size) return curve_of_table(tables, size);
  }
  return std::nullopt;
}

// By ISO/IEC 15444-1 and 15444-2.
std::string jp2_space_name(int number) {
  switch (number) {
    case 1:
    case 3:
    case 4:
      return "YCbCr";
    case 9:
      return "PhotoYCC";
    case 11:
      return "CMY";
    case 19:
      return "CIEJab";
    case 20:
      return "e-sRGB";
    case 22:
    case 23:
      return "YPbPr";
    case 24:
      return "e-sYCC";
    default:
      return std::to_string(number);
  }
}

}  // namespace

DeclaredColors colors_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& spec) {
  constexpr std::uint16_t transfer_tag = 301, white_tag = 318, primaries_tag = 319;
  DeclaredColors out;
  const bool floats = spec.format.is_floating_point();
  if (floats) out.coding = Coding::linear();
  Bytes in(path, false);
  const TiffDirectory directory(in, directory_of(spec));
  const std::vector<double> white = tiff_numbers(in, directory, white_tag),
                            colors = tiff_numbers(in, directory, primaries_tag);
  if (white.size() == 2 && colors.size() == 6) {
    out.primaries = Primaries{{{colors[0], colors[1]},
                               {colors[2], colors[3]},
                               {colors[4], colors[5]},
                               {white[0], white[1]}}};
  }
  if (floats || directory.find(in, transfer_tag) == 0) return out;
  if (const auto curve = curve_of_tiff(tiff_numbers(in, directory, transfer_tag))) {
    out.coding = *curve;
    out.curve_is_stated = true;
  } else {
    out.doubt = other_curve(path);
  }
  return out;
}

DeclaredColors colors_in_radiance(const std::filesystem::path& path) {
  DeclaredColors out;
  const RadianceHeader header = radiance_header(path);
  if (std::abs(header.gamma - 1) > 1e-3) {
    out.doubt = message({"colors.gamma_of_radiance",
                         "{file}: its header says that its numbers were corrected for a gamma of "
                         "{gamma}; they are taken for linear light"},
                        shown(path), OIIO::Strutil::fmt::format("{}", header.gamma));
  }
  if (!header.primaries || header.xyz) return out;  // XYZ has been converted
  out.primaries = header.primaries;
  out.coding = Coding::linear();
  return out;
}

DeclaredColors colors_in_jp2(const std::filesystem::path& path, const OIIO::ImageSpec& spec) {
  constexpr int srgb = 16, gray = 17, sycc = 18, romm = 21;
  DeclaredColors out;
  const int space = spec.get_int_attribute("sfumato:jp2_space", srgb);
  if (space == romm) {  // ISO 22028-2
    out.primaries =
        Primaries{{{0.7347, 0.2653}, {0.1596, 0.8404}, {0.0366, 0.0001}, {0.3457, 0.3585}}};
    out.coding = Coding::power(1.8f);
  } else if (space != srgb && space != gray && space != sycc) {
    out.doubt = message({"colors.other_space",
                         "{file}: the file says that its colour space is {space}; its colours are "
                         "taken for sRGB's"},
                        shown(path), jp2_space_name(space));
  }
  return out;
}

}  // namespace sfumato::files
