// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

// ITU-T T.81, table K.1, in the order of the file, along the diagonals.
constexpr std::array<int, 64> brightness = {
    16, 11, 12,  14,  12,  10, 16, 14,  13,  14,  18,  17,  16, 19,  24,  40,
    26, 24, 22,  22,  24,  49, 35, 37,  29,  40,  58,  51,  61, 60,  57,  51,
    56, 55, 64,  72,  92,  78, 64, 68,  87,  69,  55,  56,  80, 109, 81,  87,
    95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99};

// libjpeg's table for a quality.
int scaled(int value, int quality) {
  const int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return std::clamp((value * scale + 50) / 100, 1, 255);
}

// The quality whose table is closest; the better of two.
int quality_of(const std::array<unsigned char, 65>& table) {
  int best = 0, least = 1 << 30;
  for (int quality = 1; quality <= 100; ++quality) {
    int distance = 0;
    for (std::size_t i = 0; i < brightness.size(); ++i) {
      distance += std::abs(scaled(brightness[i], quality) - table[i + 1]);
    }
    if (distance <= least) best = quality, least = distance;
  }
  return best;
}

}  // namespace

int jpeg_quality(const std::filesystem::path& path, std::uint64_t begin) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  const auto fill = [&](auto& bytes) {
    return static_cast<bool>(file.read(reinterpret_cast<char*>(bytes.data()), bytes.size()));
  };
  std::array<unsigned char, 2> start{};
  std::array<unsigned char, 4> head{};  // of a segment: its marker and its length
  if (!fill(start) || start[0] != 0xff || start[1] != 0xd8) return 0;
  while (fill(head) && head[0] == 0xff && head[1] != 0xda) {
    if (head[1] != 0xdb) {
      file.seekg(head[2] * 256 + head[3] - 2, std::ios::cur);
      continue;
    }
    std::array<unsigned char, 65> table{};  // its number and its precision first
    return fill(table) && table[0] == 0 ? quality_of(table) : 0;
  }
  return 0;
}

}  // namespace sfumato::files
