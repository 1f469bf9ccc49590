// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a JPEG file's markers say about its picture, without decoding it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "device/ordinary_stream.hpp"

namespace sfumato::files {

struct JpegHead {
  std::size_t width = 0, height = 0, channels = 0;
  bool progressive = false;

  /// Of a progressive file's coefficients, two bytes each, which a decoder holds all at once; else
  /// 0.
  std::size_t coefficient_bytes() const { return progressive ? 2 * width * height * channels : 0; }
};

/// nullopt if the file is not a JPEG, or has no frame header before the picture's data. `begin` is
/// where the picture begins in the file.
inline std::optional<JpegHead> jpeg_head(const std::filesystem::path& path,
                                         std::uint64_t begin = 0) {
  OrdinaryStream file(path);
  file.seekg(static_cast<std::streamoff>(begin));
  const auto fill = [&](auto& bytes) {
    return static_cast<bool>(file.read(reinterpret_cast<char*>(bytes.data()), bytes.size()));
  };
  const auto word = [](unsigned char high, unsigned char low) {
    return static_cast<std::size_t>(high * 256 + low);
  };
  std::array<unsigned char, 2> start{};
  if (!fill(start) || start[0] != 0xff || start[1] != 0xd8) return std::nullopt;
  std::array<unsigned char, 4> head{};  // of a segment: its marker and its length
  while (fill(head) && head[0] == 0xff && head[1] != 0xda) {
    const int marker = head[1];
    const bool frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) {
      std::array<unsigned char, 6> picture{};  // depth, height, width, channels
      if (!fill(picture)) return std::nullopt;
      return JpegHead{word(picture[3], picture[4]), word(picture[1], picture[2]), picture[5],
                      (marker & 3) == 2};
    }
    file.seekg(head[2] * 256 + head[3] - 2, std::ios::cur);
  }
  return std::nullopt;
}

/// Whether the file has an index of further pictures (CIPA DC-007), which may all be previews.
/// False if it is not a JPEG.
inline bool has_picture_index(const std::filesystem::path& path) {
  OrdinaryStream file(path);
  const auto fill = [&](auto& bytes) {
    return static_cast<bool>(file.read(reinterpret_cast<char*>(bytes.data()), bytes.size()));
  };
  std::array<unsigned char, 2> start{};
  if (!fill(start) || start[0] != 0xff || start[1] != 0xd8) return false;
  std::array<unsigned char, 8> head{};  // of a segment: marker, length, and how it begins
  constexpr std::array<unsigned char, 4> mark = {'M', 'P', 'F', 0};
  while (fill(head) && head[0] == 0xff && (head[1] & 0xf0) == 0xe0) {
    if (head[1] == 0xe2 && std::equal(mark.begin(), mark.end(), head.begin() + 4)) return true;
    file.seekg(head[2] * 256 + head[3] - 6, std::ios::cur);
  }
  return false;
}

/// Whether the picture's data ends with an end marker. Reads the file up to there. False if it is
/// not a JPEG. `begin` as above.
inline bool jpeg_is_whole(const std::filesystem::path& path, std::uint64_t begin = 0) {
  OrdinaryStream file(path);
  file.seekg(static_cast<std::streamoff>(begin));
  std::streambuf& bytes = *file.rdbuf();
  constexpr int none = std::char_traits<char>::eof();
  if (bytes.sbumpc() != 0xff || bytes.sbumpc() != 0xd8) return false;
  for (int byte = bytes.sbumpc(); byte != none; byte = bytes.sbumpc()) {
    if (byte != 0xff) continue;  // coded data
    int marker = bytes.sbumpc();
    while (marker == 0xff) marker = bytes.sbumpc();
    if (marker == 0xd9) return true;
    if (marker <= 0 || (marker >= 0xd0 && marker <= 0xd7)) continue;  // data, or a restart
    const int high = bytes.sbumpc(), low = bytes.sbumpc();
    if (low == none) return false;
    bytes.pubseekoff(high * 256 + low - 2, std::ios::cur, std::ios::in);
  }
  return false;
}

}  // namespace sfumato::files
