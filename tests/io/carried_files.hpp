// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pieces of files that say what only some formats hold.
#pragma once

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
    psd.replace(at + 4, 2, "\x0f\xa0");  // of a plug-in
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

/// The shape of pixels that a TGA file's extension area states, its width to its height.
inline double targa_shape(const std::string& targa) {
  const auto little = [&targa](std::size_t at, int count) {
    const std::string bytes(
        targa.substr(std::min(at, targa.size()), static_cast<std::size_t>(count)));
    return big_endian(std::string(bytes.rbegin(), bytes.rend()), 0, count);
  };
  const auto area = static_cast<std::size_t>(little(targa.size() - 26, 4));
  return static_cast<double>(little(area + 474, 2)) / static_cast<double>(little(area + 476, 2));
}

}  // namespace sfumato::testing
