// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// TIFF files that no library writes for us.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace sfumato::testing {

/// A TIFF file in little-endian order, written tag by tag.
class TiffWriter {
 public:
  void add(int tag, int type, std::uint32_t count, const std::string& bytes) {
    entries_.push_back({tag, type, count, bytes});
  }
  void shorts(int tag, const std::vector<std::uint32_t>& values) {
    std::string bytes;
    for (const std::uint32_t v : values) bytes += number(v, 2);
    add(tag, 3, static_cast<std::uint32_t>(values.size()), bytes);
  }
  void longs(int tag, std::uint32_t value) { add(tag, 4, 1, number(value, 4)); }
  void text(int tag, const std::string& value) {
    add(tag, 2, static_cast<std::uint32_t>(value.size() + 1), value + '\0');
  }
  void fractions(int tag, int type, const std::vector<double>& values) {
    std::string bytes;
    for (const double v : values) {
      bytes += number(static_cast<std::uint32_t>(std::lround(v * 1e6)), 4) + number(1000000, 4);
    }
    add(tag, type, static_cast<std::uint32_t>(values.size()), bytes);
  }
  /// The file, with the place of `data` in tag 273; or what follows `base` bytes of another one.
  std::string file(const std::string& data, std::size_t base = 0) {
    longs(273, 0);
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.tag < b.tag; });
    const std::size_t begin = base + 8 + 2 + 12 * entries_.size() + 4;
    std::size_t behind = begin;
    for (const Entry& e : entries_) behind += e.bytes.size() > 4 ? (e.bytes.size() + 1) / 2 * 2 : 0;
    std::string out = std::string("II*\0", 4) + number(static_cast<std::uint32_t>(base + 8), 4) +
                      number(static_cast<std::uint32_t>(entries_.size()), 2);
    std::string pieces;
    for (Entry& e : entries_) {
      if (e.tag == 273) e.bytes = number(static_cast<std::uint32_t>(behind), 4);
      out += number(static_cast<std::uint32_t>(e.tag), 2) +
             number(static_cast<std::uint32_t>(e.type), 2) + number(e.count, 4);
      if (e.bytes.size() > 4) {
        out += number(static_cast<std::uint32_t>(begin + pieces.size()), 4);
        pieces += e.bytes;
        if (pieces.size() % 2 != 0) pieces += '\0';
      } else {
        out += e.bytes + std::string(4 - e.bytes.size(), '\0');
      }
    }
    return out + number(0, 4) + pieces + data;
  }
  static std::string number(std::uint32_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> 8 * i));
    return out;
  }

 private:
  struct Entry {
    int tag, type;
    std::uint32_t count;
    std::string bytes;
  };
  std::vector<Entry> entries_;
};

/// Two files as the pages of one; `second` was made for a place behind `first`.
inline std::string two_pages(std::string first, const std::string& second) {
  const auto entries = static_cast<std::size_t>(static_cast<unsigned char>(first[8]));
  first.replace(10 + 12 * entries, 4,
                TiffWriter::number(static_cast<std::uint32_t>(first.size() + 8), 4));
  return first + second;
}

/// A plain picture in one strip; `sample_format` 1 unsigned, 2 signed, 3 floating point;
/// `t` may hold other tags. It may follow `base` bytes of another file.
inline std::string plain_tiff(int width, int height, int channels, int bits, int photometric,
                              int sample_format, const std::string& data, TiffWriter t = {},
                              std::size_t base = 0) {
  const auto n = static_cast<std::size_t>(channels);
  t.longs(256, static_cast<std::uint32_t>(width));
  t.longs(257, static_cast<std::uint32_t>(height));
  t.shorts(258, std::vector<std::uint32_t>(n, static_cast<std::uint32_t>(bits)));
  t.shorts(259, {1});
  t.shorts(262, {static_cast<std::uint32_t>(photometric)});
  t.shorts(277, {static_cast<std::uint32_t>(channels)});
  t.longs(278, static_cast<std::uint32_t>(height));
  t.longs(279, static_cast<std::uint32_t>(data.size()));
  t.shorts(284, {1});
  t.shorts(339, std::vector<std::uint32_t>(n, static_cast<std::uint32_t>(sample_format)));
  return t.file(data, base);
}

}  // namespace sfumato::testing
