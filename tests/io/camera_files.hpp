// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Raw files of cameras, written byte by byte.
#pragma once

#include "io/raw_files.hpp"
#include "io/tiff_writer.hpp"

namespace sfumato::testing {

inline constexpr int raw_width = 64, raw_height = 48;
inline constexpr double red_light = 0.6, other_light = 0.03, gray_light = 0.25;

/// A DNG file of bare sensor values, 16 bits in a Bayer pattern of red, green, green, blue, from a
/// camera that sees sRGB's primaries: red in the upper left quarter, gray elsewhere.
inline std::string dng(int orientation, const char* make = "Camera Works",
                       const char* model = "Obscura 2") {
  std::string data;
  for (int y = 0; y < raw_height; ++y) {
    for (int x = 0; x < raw_width; ++x) {
      const bool red = x % 2 == 0 && y % 2 == 0;
      const bool quarter = x < raw_width / 2 && y < raw_height / 2;
      const double light = !quarter ? gray_light : red ? red_light : other_light;
      data += TiffWriter::number(static_cast<std::uint32_t>(std::lround(light * 65535)), 2);
    }
  }
  TiffWriter t;
  t.longs(254, 0);
  t.longs(256, raw_width);
  t.longs(257, raw_height);
  t.shorts(258, {16});
  t.shorts(259, {1});
  t.shorts(262, {32803});  // a colour filter array
  t.text(271, make);
  t.text(272, model);
  t.shorts(274, {static_cast<std::uint32_t>(orientation)});
  t.shorts(277, {1});
  t.longs(278, raw_height);
  t.longs(279, static_cast<std::uint32_t>(data.size()));
  t.shorts(33421, {2, 2});
  t.add(33422, 1, 4, std::string("\0\1\1\2", 4));
  t.add(50706, 1, 4, std::string("\1\4\0\0", 4));
  t.text(50708, std::string(make) + " " + model);
  t.longs(50717, 65535);  // white
  // From XYZ to the camera's colours: IEC 61966-2-1.
  t.fractions(50721, 10,
              {3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434,
               -0.2040259, 1.0572252});
  t.fractions(50728, 5, {1, 1, 1});
  t.shorts(50778, {21});  // daylight of 6500 K
  return t.file(data);
}

/// A file of Fujifilm's with even sensor values, and a picture that begins with EXIF.
inline std::string raf(std::string picture) {
  const std::string app0 = picture.substr(2, 2);
  if (app0 == "\xff\xe0") picture.erase(2, 2 + big_endian(picture, 4, 2));
  constexpr std::uint64_t begin = 160;
  const auto size = [](int tag) {
    return big_endian_bytes(static_cast<std::uint64_t>(tag), 2) + big_endian_bytes(4, 2) +
           big_endian_bytes(raw_height, 2) + big_endian_bytes(raw_width, 2);
  };
  const std::string sensor = big_endian_bytes(3, 4) + size(0x100) + size(0x121) +
                             big_endian_bytes(0x01300004, 4) + std::string(4, '\0');
  std::string values;
  for (int i = 0; i < raw_width * raw_height; ++i) values += big_endian_bytes(0x4000, 2);
  picture.resize((picture.size() + 1) / 2 * 2);
  std::string out = "FUJIFILMCCD-RAW 0201FF383501Obscura 2";
  out.resize(84, '\0');
  out += big_endian_bytes(begin, 4) + big_endian_bytes(picture.size(), 4) +
         big_endian_bytes(begin + picture.size(), 4) + big_endian_bytes(sensor.size(), 4) +
         big_endian_bytes(begin + picture.size() + sensor.size(), 4) +
         big_endian_bytes(values.size(), 4);
  out.resize(begin, '\0');
  return out + picture + sensor + values;
}

}  // namespace sfumato::testing
