// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "fuzz/damage.hpp"

#include <algorithm>
#include <array>

namespace sfumato::fuzz {
namespace {

using Fields = std::vector<Field>;

std::uint64_t number(const std::string& bytes, std::size_t at, int size, bool big) {
  std::uint64_t out = 0;
  for (int i = 0; i < size; ++i) {
    const std::size_t place = at + static_cast<std::size_t>(big ? i : size - 1 - i);
    out = out << 8 | (place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0);
  }
  return out;
}

void add(Fields& to, std::size_t at, std::initializer_list<int> sizes) {
  for (const int size : sizes) {
    to.push_back({at, size});
    at += static_cast<std::size_t>(size);
  }
}

// Each byte, and each pair and four from even places.
void add_header(Fields& to, std::size_t from, std::size_t end) {
  for (std::size_t at = from; at < end; ++at) {
    add(to, at, {1});
    if (at % 2 == 0) add(to, at, {2});
    if (at % 4 == 0) add(to, at, {4});
  }
}

// A TIFF file's or EXIF block's directories: entries of tag, type, count and value or place.
void add_directories(Fields& to, const std::string& bytes, std::size_t start) {
  const bool big = bytes.compare(start, 2, "MM") == 0;
  add(to, start, {2, 2, 4});
  std::vector<std::size_t> open{number(bytes, start + 4, 4, big)};
  constexpr std::size_t most = 8;
  for (std::size_t done = 0; done < open.size() && done < most; ++done) {
    std::size_t at = start + open[done];
    if (open[done] == 0 || at + 2 > bytes.size()) continue;
    const std::uint64_t entries = std::min<std::uint64_t>(number(bytes, at, 2, big), 64);
    add(to, at, {2});
    at += 2;
    for (std::uint64_t i = 0; i < entries; ++i, at += 12) {
      add(to, at, {2, 2, 4, 4});
      const std::uint64_t tag = number(bytes, at, 2, big);
      const bool leads_on = tag == 0x8769 || tag == 0x8825 || tag == 0x14a;
      if (leads_on) open.push_back(number(bytes, at + 8, 4, big));
    }
    add(to, at, {4});
    open.push_back(number(bytes, at, 4, big));
  }
}

// A profile has "acsp" at byte 36, and a table of tags from byte 128.
void add_profile(Fields& to, const std::string& bytes) {
  const std::size_t found = bytes.find("acsp");
  if (found == std::string::npos || found < 36) return;
  const std::size_t start = found - 36;
  add_header(to, start, std::min(bytes.size(), start + 132));
  const std::uint64_t tags = std::min<std::uint64_t>(number(bytes, start + 128, 4, true), 40);
  for (std::uint64_t i = 0; i < tags; ++i) {
    const std::size_t tag = start + 132 + 12 * i;
    add(to, tag, {4, 4, 4});
    const std::size_t data = start + number(bytes, tag + 4, 4, true);
    add(to, data, {4, 4, 4, 4});
  }
}

void add_png(Fields& to, const std::string& bytes) {
  add_header(to, 0, 8);
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = number(bytes, at, 4, true);
    add(to, at, {4, 4});
    if (bytes.compare(at + 4, 4, "IHDR") == 0)
      add(to, at + 8, {4, 4, 1, 1, 1, 1, 1});
    else
      add_header(to, at + 8, at + 8 + std::min<std::size_t>(length, 20));
    add(to, at + 8 + length, {4});
    at += 12 + length;
  }
}

void add_jpeg(Fields& to, const std::string& bytes) {
  for (std::size_t at = 2; at + 4 <= bytes.size() && bytes[at] == '\xff';) {
    const std::size_t length = number(bytes, at + 2, 2, true);
    add(to, at, {1, 1, 2});
    // Of tables and frames each byte counts; of others the beginning.
    add_header(to, at + 4, std::min(bytes.size(), at + 2 + std::min<std::size_t>(length, 80)));
    if (bytes.compare(at + 4, 4, "Exif") == 0) add_directories(to, bytes, at + 10);
    if (bytes[at + 1] == '\xda') break;
    at += 2 + length;
  }
}

// Attributes of name, type, size and value; then the table of places, and the first block.
void add_exr(Fields& to, const std::string& bytes) {
  add(to, 0, {4, 1, 1, 1, 1});
  std::size_t at = 8;
  while (at < bytes.size() && bytes[at] != '\0') {
    const std::size_t type = bytes.find('\0', at) + 1, size = bytes.find('\0', type) + 1;
    if (type == 0 || size == 0 || size + 4 > bytes.size()) return;
    const std::size_t length = number(bytes, size, 4, false);
    add(to, at, {1});
    add(to, type, {1});
    add(to, size, {4});
    add_header(to, size + 4, size + 4 + std::min<std::size_t>(length, 80));
    at = size + 4 + length;
  }
  add_header(to, at, std::min(bytes.size(), at + 64));
}

void add_riff(Fields& to, const std::string& bytes) {
  add(to, 0, {4, 4, 4});
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t length = number(bytes, at + 4, 4, false);
    add(to, at, {4, 4});
    add_header(to, at + 8, std::min(bytes.size(), at + 8 + std::min<std::size_t>(length, 24)));
    at += 8 + length + length % 2;
  }
}

void add_gif(Fields& to, const std::string& bytes) {
  add(to, 0, {3, 3, 2, 2, 1, 1, 1});
  const std::size_t blocks = 13 + 3 * (std::size_t{2} << (bytes[10] & 7));
  add_header(to, blocks, std::min(bytes.size(), blocks + 40));
}

std::uint32_t checksum(const std::string& bytes, std::size_t from, std::size_t count) {
  std::uint32_t sum = 0xffffffff;
  for (std::size_t i = 0; i < count; ++i) {
    sum ^= static_cast<unsigned char>(bytes[from + i]);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~sum;
}

void put(std::string& bytes, const Field& field, std::uint64_t value, bool big) {
  for (int i = 0; i < field.bytes; ++i) {
    const std::size_t at = field.at + static_cast<std::size_t>(big ? field.bytes - 1 - i : i);
    if (at < bytes.size()) bytes[at] = static_cast<char>(value >> (8 * i) & 0xff);
  }
}

void mend_checksums(std::string& bytes) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = number(bytes, at, 4, true);
    if (length > bytes.size() || at + 12 + length > bytes.size()) return;
    put(bytes, {at + 8 + length, 4}, checksum(bytes, at + 4, length + 4), true);
    at += 12 + length;
  }
}

std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

void hurt(std::string& bytes, const Field& field, Random& random) {
  const bool big = below(random, 2) == 0;
  const std::uint64_t now = number(bytes, field.at, field.bytes, big);
  const std::uint64_t all = field.bytes == 8 ? ~0ull : (1ull << (8 * field.bytes)) - 1;
  const std::array<std::uint64_t, 14> values = {0,
                                                1,
                                                all,
                                                all >> 1,
                                                (all >> 1) + 1,
                                                all - 1,
                                                now + 1,
                                                now - 1,
                                                now * 2,
                                                now / 2,
                                                random(),
                                                0x10000,
                                                now ^ (1ull << below(random, 32)),
                                                bytes.size()};
  put(bytes, field, values[below(random, values.size())] & all, big);
}

// Without regard to structure.
void mangle(std::string& bytes, Random& random) {
  const std::size_t at = below(random, bytes.size());
  const std::size_t count = 1 + below(random, 64);
  switch (below(random, 5)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.erase(at, count);
      break;
    case 2:
      bytes.insert(at, bytes.substr(below(random, bytes.size()), count));
      break;
    case 3:
      for (std::size_t i = at; i < std::min(bytes.size(), at + count); ++i) {
        bytes[i] = static_cast<char>(random() & 0xff);
      }
      break;
    default:
      for (std::size_t i = 0; i < 1 + count / 8; ++i) {
        bytes[below(random, bytes.size())] ^= static_cast<char>(1 << below(random, 8));
      }
      break;
  }
}

}  // namespace

Fields fields_of(const Sample& sample) {
  Fields out;
  const std::string& bytes = sample.bytes;
  if (sample.format == "png") add_png(out, bytes);
  if (sample.format == "jpeg" || sample.format == "exif") add_jpeg(out, bytes);
  if (sample.format == "tiff") add_directories(out, bytes, 0);
  if (sample.format == "openexr") add_exr(out, bytes);
  if (sample.format == "webp") add_riff(out, bytes);
  if (sample.format == "gif") add_gif(out, bytes);
  if (out.empty()) add_header(out, 0, std::min<std::size_t>(bytes.size(), 136));
  if (sample.format == "dpx") add_header(out, 768, 832);
  if (sample.format == "sgi") add_header(out, 512, std::min<std::size_t>(bytes.size(), 1024));
  add_profile(out, bytes);
  std::erase_if(out, [&](const Field& f) { return f.at >= bytes.size(); });
  return out;
}

std::string damaged(const Sample& sample, const Fields& fields, Random& random) {
  std::string bytes = sample.bytes;
  const std::size_t way = below(random, 8);
  if (way < 6) {
    const std::size_t count = 1 + below(random, 2) * below(random, 3);
    for (std::size_t i = 0; i < count; ++i)
      hurt(bytes, fields[below(random, fields.size())], random);
  }
  if (way >= 5) mangle(bytes, random);
  if (sample.format == "png" && below(random, 4) != 0) mend_checksums(bytes);
  return bytes;
}

}  // namespace sfumato::fuzz
