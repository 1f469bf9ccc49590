// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pieces of files that say what only some formats hold.
#pragma once

#include <array>

#include "io/raw_files.hpp"
#include "io/tiff_writer.hpp"

namespace sfumato::testing {

/// Photoshop's image resource, without a name.
inline std::string image_resource(int id, const std::string& data) {
  return "8BIM" + big_endian_bytes(static_cast<std::uint64_t>(id), 2) + std::string(2, '\0') +
         big_endian_bytes(data.size(), 4) + data + std::string(data.size() % 2, '\0');
}

/// A PSD file without a palette, with one more resource, and without its resolution.
inline std::string with_resource(std::string psd, const std::string& resource) {
  constexpr std::size_t size_at = 30;
  const std::uint64_t size = big_endian(psd, size_at, 4) + resource.size();
  psd.replace(size_at, 4, big_endian_bytes(size, 4));
  if (const std::size_t at = psd.find("8BIM\x03\xed"); at != std::string::npos) {
    psd.replace(at + 4, 2, "\x04\x0d");  // an angle of light
  }
  return psd.insert(size_at + 4, resource);
}

/// A JPEG file whose header says one number of pixels to another, without a unit.
inline std::string with_density(std::string jpeg, int x, int y) {
  jpeg[13] = '\0';
  jpeg.replace(14, 2, big_endian_bytes(static_cast<std::uint64_t>(x), 2));
  return jpeg.replace(16, 2, big_endian_bytes(static_cast<std::uint64_t>(y), 2));
}

/// A mastering display's primaries, white and luminances, and a light level (PNG, 11.3.2.7 and 8).
inline std::string mastering_data() {
  std::string out;
  for (const std::uint64_t n : {35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450}) {
    out += big_endian_bytes(n, 2);
  }
  return out + big_endian_bytes(10000000, 4) + big_endian_bytes(1, 4);
}
inline std::string level_data() {
  return big_endian_bytes(10000000, 4) + big_endian_bytes(4000000, 4);
}

/// Tags of GeoTIFF: a scale, a tie point and keys.
inline TiffWriter map_tags() {
  const auto doubles = [](const std::vector<double>& values) {
    std::string out;
    for (const double v : values) {
      out.append(reinterpret_cast<const char*>(&v), sizeof v);  // of this machine, as all here
    }
    return out;
  };
  TiffWriter t;
  t.add(33550, 12, 3, doubles({10, 20, 0}));
  t.add(33922, 12, 6, doubles({0, 0, 0, 500000, 4000000, 0}));
  t.shorts(34735, {1, 1, 0, 1, 1024, 0, 1, 1});
  return t;
}

/// The first of some bytes replaced by others, which are as many.
inline std::string with(const std::string& old, const std::string& instead, std::string bytes) {
  const std::size_t at = bytes.find(old);
  return at == std::string::npos ? bytes : bytes.replace(at, instead.size(), instead);
}

inline std::uint64_t little_endian_at(const std::string& bytes, std::size_t at, int count) {
  const std::string found(
      bytes.substr(std::min(at, bytes.size()), static_cast<std::size_t>(count)));
  return big_endian(std::string(found.rbegin(), found.rend()), 0, count);
}

/// A TIFF file in little-endian order with another number in this tag of its first directory.
inline std::string tiff_with_number(std::string tiff, std::uint64_t tag, std::uint32_t value) {
  constexpr std::uint32_t type_long = 4;
  const auto at = static_cast<std::size_t>(little_endian_at(tiff, 4, 4));
  for (std::size_t i = 0; i < little_endian_at(tiff, at, 2); ++i) {
    const std::size_t entry = at + 2 + 12 * i;
    if (little_endian_at(tiff, entry, 2) != tag) continue;
    tiff.replace(
        entry + 2, 10,
        TiffWriter::number(type_long, 2) + TiffWriter::number(1, 4) + TiffWriter::number(value, 4));
  }
  return tiff;
}

/// The extension area of a TGA file, by its footer; empty if there is none.
inline std::string targa_area(const std::string& targa) {
  const auto at = static_cast<std::size_t>(little_endian_at(targa, targa.size() - 26, 4));
  return at == 0 || at + 495 > targa.size() ? std::string() : targa.substr(at, 495);
}

/// The text that begins at a place of the area.
inline std::string targa_text(const std::string& targa, std::size_t at) {
  const std::string area = targa_area(targa);
  return area.empty() ? area : std::string(area.c_str() + at);
}

/// The shape of pixels that a TGA file's extension area states, its width to its height.
inline double targa_shape(const std::string& targa) {
  const std::string area = targa_area(targa);
  return static_cast<double>(little_endian_at(area, 474, 2)) /
         static_cast<double>(little_endian_at(area, 476, 2));
}

/// What the extension area of a TGA file may say.
struct TargaSays {
  std::string author = "", job = "", software = "";
  std::uint32_t version = 0;
  std::array<std::string, 4> comments = {};
  std::array<std::uint32_t, 6> stamp = {};  ///< month, day, year, hour, minute, second
  std::uint32_t key = 0, hours = 0;
  std::array<std::uint32_t, 2> aspect = {}, gamma = {};
  std::uint32_t table = 0;  ///< where one for correcting colours is
  bool developer = false;
};

/// A TGA file of two rows of four pixels, each 40, 60, 80.
inline std::string targa_file(const TargaSays& says) {
  std::string area(495, '\0');
  const auto put = [&](std::size_t at, std::uint32_t value, int bytes) {
    area.replace(at, static_cast<std::size_t>(bytes), TiffWriter::number(value, bytes));
  };
  const auto text = [&](std::size_t at, const std::string& said) {
    area.replace(at, said.size(), said);
  };
  put(0, 495, 2);
  text(2, says.author);
  for (std::size_t i = 0; i < 4; ++i) text(43 + 81 * i, says.comments[i]);
  for (std::size_t i = 0; i < 6; ++i) put(367 + 2 * i, says.stamp[i], 2);
  text(379, says.job);
  put(420, says.hours, 2);
  text(426, says.software);
  put(467, says.version, 2);
  put(470, says.key, 4);
  for (std::size_t i = 0; i < 2; ++i) put(474 + 2 * i, says.aspect[i], 2);
  for (std::size_t i = 0; i < 2; ++i) put(478 + 2 * i, says.gamma[i], 2);
  put(482, says.table, 4);
  std::string out = std::string("\0\0\2", 3) + std::string(9, '\0') + TiffWriter::number(4, 2) +
                    TiffWriter::number(2, 2) + "\x18\x20";
  for (int i = 0; i < 8; ++i) out += "\x50\x3c\x28";
  const auto at = static_cast<std::uint32_t>(out.size());
  out += area;
  // A directory of no tags.
  const std::uint32_t developer = says.developer ? at + 495 : 0;
  if (says.developer) out += TiffWriter::number(0, 2);
  return out + TiffWriter::number(at, 4) + TiffWriter::number(developer, 4) +
         std::string("TRUEVISION-XFILE.\0", 18);
}

}  // namespace sfumato::testing
