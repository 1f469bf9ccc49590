// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files that are written byte by byte, for what libraries do not write, and read so again.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato::testing {

inline std::uint64_t big_endian(std::string_view bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) {
    const std::size_t place = at + static_cast<std::size_t>(i);
    value = value << 8 | (place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0u);
  }
  return value;
}

inline std::string big_endian_bytes(std::uint64_t value, int count) {
  std::string out;
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift));
  }
  return out;
}

/// A PNG chunk with its checksum.
inline std::string chunk(std::string_view name, std::string_view data) {
  const std::string body = std::string(name).append(data);
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : body) {
    crc ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return big_endian_bytes(data.size(), 4) + body + big_endian_bytes(~crc & 0xffffffffu, 4);
}

/// A PNG file with chunks inserted after its header.
inline std::string with_chunks(const std::string& png, const std::string& chunks) {
  constexpr std::size_t header = 33;
  return png.substr(0, header) + chunks + png.substr(header);
}

/// Without the chunks of these names.
inline std::string without_chunks(const std::string& png, std::string_view names) {
  std::string out = png.substr(0, 8);
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::size_t size = 12 + static_cast<std::size_t>(big_endian(png, at, 4));
    if (names.find(png.substr(at + 4, 4)) == std::string_view::npos) out += png.substr(at, size);
    at += size;
  }
  return out;
}

/// The data of a PNG file's first chunk of this name; empty if there is none.
inline std::string chunk_of(const std::string& png, std::string_view name) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const auto size = static_cast<std::size_t>(big_endian(png, at, 4));
    if (png.substr(at + 4, 4) == name) return png.substr(at + 8, size);
    at += 12 + size;
  }
  return {};
}

/// A PNG file as an animation of its picture, so many times, that announces `announced` frames.
inline std::string animated_png(const std::string& png, int frames, std::uint64_t announced) {
  const std::string still = without_chunks(png, "IEND"), size = chunk_of(png, "IHDR").substr(0, 8),
                    data = chunk_of(png, "IDAT");
  std::uint64_t sequence = 0;
  const auto control = [&] {
    return chunk("fcTL", big_endian_bytes(sequence++, 4) + size + std::string(8, '\0') +
                             big_endian_bytes(1, 2) + big_endian_bytes(10, 2) +
                             std::string(2, '\0'));
  };
  std::string out = with_chunks(
      still, chunk("acTL", big_endian_bytes(announced, 4) + std::string(4, '\0')) + control());
  for (int i = 1; i < frames; ++i) {
    out += control();
    out += chunk("fdAT", big_endian_bytes(sequence++, 4) + data);
  }
  return out + chunk("IEND", "");
}

/// The segments of a JPEG file before its data: marker (0xe1 for APP1) and contents.
inline std::vector<std::pair<int, std::string>> segments_of(const std::string& jpeg) {
  std::vector<std::pair<int, std::string>> out;
  for (std::size_t at = 2; at + 4 <= jpeg.size();) {
    const int marker = static_cast<int>(big_endian(jpeg, at + 1, 1));
    const auto size = static_cast<std::size_t>(big_endian(jpeg, at + 2, 2));
    if (marker == 0xda) break;
    out.emplace_back(marker, jpeg.substr(at + 4, size - 2));
    at += 2 + size;
  }
  return out;
}

/// A BMP file of the newest kind that states Adobe RGB's primaries and a gamma in its header.
inline std::string with_end_points(std::string bmp, double gamma) {
  const auto put = [&](std::size_t at, double value) {
    const std::string bytes = big_endian_bytes(static_cast<std::uint64_t>(value), 4);
    std::copy(bytes.rbegin(), bytes.rend(), bmp.begin() + static_cast<std::ptrdiff_t>(14 + at));
  };
  constexpr std::array<double, 9> xyz = {0.57667, 0.29734, 0.02703, 0.18556, 0.62736,
                                         0.07069, 0.18823, 0.07529, 0.99134};
  put(56, 0);  // LCS_CALIBRATED_RGB
  for (std::size_t i = 0; i < xyz.size(); ++i) put(60 + 4 * i, xyz[i] * (1 << 30));
  for (std::size_t i = 0; i < 3; ++i) put(96 + 4 * i, gamma * 65536);
  put(112, 0);
  put(116, 0);
  return bmp;
}

/// JPEG files in one, with an index of them in the first (CIPA DC-007). `kinds` are those of the
/// others: 0x020002 of a stereo pair, 0x010001 a preview.
inline std::string multi_picture(const std::vector<std::string>& jpegs,
                                 const std::vector<int>& kinds) {
  using namespace std::string_view_literals;
  const auto count = jpegs.size();
  const std::size_t jfif = 4 + static_cast<std::size_t>(big_endian(jpegs[0], 4, 2));
  const std::size_t index = 50 + 16 * count, first = jpegs[0].size() + 4 + 4 + index;
  std::string entries =
      big_endian_bytes(0x20030000, 4) + big_endian_bytes(first, 4) + big_endian_bytes(0, 8);
  std::size_t begin = first;
  for (std::size_t i = 1; i < count; ++i) {
    entries += big_endian_bytes(static_cast<std::uint64_t>(kinds[i - 1]), 4) +
               big_endian_bytes(jpegs[i].size(), 4) + big_endian_bytes(begin - (jfif + 8), 4) +
               big_endian_bytes(0, 4);
    begin += jpegs[i].size();
  }
  const auto size = [&](std::size_t value) { return big_endian_bytes(value, 4); };
  std::string out = jpegs[0].substr(0, jfif) + "\xff\xe2" + big_endian_bytes(2 + 4 + index, 2);
  out += "MPF\0MM\0\x2a\0\0\0\x08\0\3"sv;
  out +=
      "\xb0\0\0\7\0\0\0\4"
      "0100"sv;
  out += "\xb0\1\0\4\0\0\0\1"sv;
  out += size(count);
  out += "\xb0\2\0\7"sv;
  out += size(16 * count) + size(50) + size(0) + entries + jpegs[0].substr(jfif);
  for (std::size_t i = 1; i < count; ++i) out += jpegs[i];
  return out;
}

/// A GIF file of 2 x 2 pixels on whose diagonal it is transparent, red elsewhere; its `frames` are
/// all alike.
inline std::string transparent_gif(int frames = 1, const std::string& comment = {}) {
  using namespace std::string_view_literals;
  std::string out("GIF89a\2\0\2\0\x80\0\0\0\0\0\xff\0\0"sv);  // two colours: black, red
  if (!comment.empty()) {
    out += "\x21\xfe" + std::string(1, static_cast<char>(comment.size())) + comment + '\0';
  }
  for (int i = 0; i < frames; ++i) {
    out += "\x21\xf9\4\1\x0a\0\0\0"sv;  // colour 0 is transparent
    out += "\x2c\0\0\0\0\2\0\2\0\0"sv;  // the whole picture
    // Codes of 3 bits: clear, 0, 1, 1, 0 (4 bits after 6 entries), end.
    out += "\2\3\x44\x02\x05\0"sv;
  }
  return out + '\x3b';
}

/// A GIF file of two colours with an ICC profile, in blocks as the format asks for.
inline std::string with_profile(const std::string& gif, const std::string& profile) {
  constexpr std::size_t head = 19, most = 255;
  std::string blocks = "\x21\xff\x0bICCRGBG1012";
  for (std::size_t at = 0; at < profile.size(); at += most) {
    const std::string block = profile.substr(at, most);
    blocks += static_cast<char>(block.size()) + block;
  }
  return gif.substr(0, head) + blocks + '\0' + gif.substr(head);
}

/// A Radiance HDR file of 4 x 4 pixels with more lines in its header.
inline std::string radiance(const std::string& lines, const std::string& axes = "-Y 4 +X 4",
                            int pixels = 16) {
  std::string out = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n" + lines + "\n" + axes + "\n";
  for (int i = 0; i < pixels; ++i) out += "\x80\x40\x20\x81";
  return out;
}

/// A JP2 file whose colours are said to be in another space, by its number.
inline std::string in_space(std::string jp2, unsigned space) {
  const std::size_t box = jp2.find("colr");
  return box == std::string::npos ? jp2 : jp2.replace(box + 7, 4, big_endian_bytes(space, 4));
}

}  // namespace sfumato::testing
