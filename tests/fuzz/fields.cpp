// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The numbers in a file, by the structure of its format.
#include <algorithm>
#include <map>

#include "fuzz/damage.hpp"

namespace sfumato::fuzz {

std::uint64_t number(const std::string& bytes, std::size_t at, int size, bool big) {
  std::uint64_t out = 0;
  for (int i = 0; i < size; ++i) {
    const std::size_t place = at + static_cast<std::size_t>(big ? i : size - 1 - i);
    out = out << 8 | (place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0);
  }
  return out;
}

namespace {

using Fields = std::vector<Field>;

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

// Boxes of length, type and content (ISO/IEC 14496-12); some hold boxes, after some bytes.
void add_boxes(Fields& to, const std::string& bytes, std::size_t from, std::size_t end, int depth) {
  static const std::map<std::string, std::size_t> holders = {{"meta", 4}, {"iprp", 0}, {"ipco", 0},
                                                             {"iinf", 6}, {"jp2h", 0}, {"iref", 4}};
  constexpr int deepest = 6;
  for (std::size_t at = from; at + 8 <= end && depth < deepest;) {
    const std::size_t length = number(bytes, at, 4, true);
    const std::size_t behind = length < 8 || length > end - at ? end : at + length;
    const std::string type = bytes.substr(at + 4, 4);
    add(to, at, {4, 4});
    const auto holder = holders.find(type);
    add_header(to, at + 8, std::min(behind, at + 8 + std::size_t{72}));
    if (holder != holders.end()) add_boxes(to, bytes, at + 8 + holder->second, behind, depth + 1);
    at = behind;
  }
}

// Markers of a JPEG 2000 codestream, up to its first tile's data (ISO/IEC 15444-1).
void add_codestream(Fields& to, const std::string& bytes) {
  const std::size_t start = bytes.find("\xff\x4f\xff\x51");
  if (start == std::string::npos) return;
  for (std::size_t at = start + 2; at + 4 <= bytes.size() && bytes[at] == '\xff';) {
    const std::size_t length = number(bytes, at + 2, 2, true);
    add(to, at, {2, 2});
    if (bytes[at + 1] == '\x93') break;
    add_header(to, at + 4, std::min(bytes.size(), at + 2 + std::min<std::size_t>(length, 80)));
    at += 2 + length;
  }
}

void add_jpeg2000(Fields& to, const std::string& bytes) {
  if (bytes.compare(4, 4, "jP  ") == 0) add_boxes(to, bytes, 0, bytes.size(), 0);
  add_codestream(to, bytes);
}

void add_heif(Fields& to, const std::string& bytes) {
  add_boxes(to, bytes, 0, bytes.size(), 0);
}

// A header, and three sections that say how long they are.
void add_psd(Fields& to, const std::string& bytes) {
  add(to, 0, {4, 2, 2, 4, 2, 4, 4, 2, 2});
  std::size_t at = 26;
  for (int section = 0; section < 3; ++section) {
    const std::size_t length = number(bytes, at, 4, true);
    add(to, at, {4});
    add_header(to, at + 4, std::min(bytes.size(), at + 4 + std::min<std::size_t>(length, 60)));
    at += 4 + length;
  }
  add(to, at, {2});
}

// A directory of pictures, each with a header.
void add_ico(Fields& to, const std::string& bytes) {
  add(to, 0, {2, 2, 2});
  const std::uint64_t count = std::min<std::uint64_t>(number(bytes, 4, 2, false), 8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t entry = 6 + 16 * i, picture = number(bytes, entry + 12, 4, false);
    add(to, entry, {1, 1, 1, 1, 2, 2, 4, 4});
    add_header(to, picture, std::min(bytes.size(), picture + 48));
  }
}

// Chunks within chunks.
void add_iff(Fields& to, const std::string& bytes) {
  add(to, 0, {4, 4, 4});
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t length = number(bytes, at + 4, 4, true);
    const bool group = bytes.compare(at, 3, "FOR") == 0;
    add(to, at, {4, 4});
    add_header(to, at + 8, std::min(bytes.size(), at + 8 + std::min<std::size_t>(length, 40)));
    at += group ? 12 : 8 + (length + 3) / 4 * 4;
  }
}

// A header of 740 bytes, and places of rows.
void add_rla(Fields& to, const std::string& bytes) {
  add_header(to, 0, std::min<std::size_t>(bytes.size(), 64));
  add_header(to, 640, std::min<std::size_t>(bytes.size(), 840));
}

void add_cineon(Fields& to, const std::string& bytes) {
  add_header(to, 0, std::min<std::size_t>(bytes.size(), 32));
  add_header(to, 192, std::min<std::size_t>(bytes.size(), 256));
  add_header(to, 680, std::min<std::size_t>(bytes.size(), 712));
}

void add_tiff(Fields& to, const std::string& bytes) {
  add_directories(to, bytes, 0);
}

void add_dpx(Fields& to, const std::string& bytes) {
  add_header(to, 0, std::min<std::size_t>(bytes.size(), 136));
  add_header(to, 768, std::min<std::size_t>(bytes.size(), 832));
}

void add_sgi(Fields& to, const std::string& bytes) {
  add_header(to, 0, std::min<std::size_t>(bytes.size(), 136));
  add_header(to, 512, std::min<std::size_t>(bytes.size(), 1024));
}

}  // namespace

Fields fields_of(const Sample& sample) {
  static const std::map<std::string, void (*)(Fields&, const std::string&)> structures = {
      {"png", add_png},   {"jpeg", add_jpeg},    {"exif", add_jpeg},         {"tiff", add_tiff},
      {"raw", add_tiff},  {"openexr", add_exr},  {"webp", add_riff},         {"gif", add_gif},
      {"dpx", add_dpx},   {"sgi", add_sgi},      {"jpeg2000", add_jpeg2000}, {"heif", add_heif},
      {"avif", add_heif}, {"psd", add_psd},      {"ico", add_ico},           {"iff", add_iff},
      {"rla", add_rla},   {"cineon", add_cineon}};
  Fields out;
  const std::string& bytes = sample.bytes;
  const auto found = structures.find(sample.format);
  if (found != structures.end())
    found->second(out, bytes);
  else
    add_header(out, 0, std::min<std::size_t>(bytes.size(), sample.format == "fits" ? 560 : 136));
  add_profile(out, bytes);
  std::erase_if(out, [&](const Field& f) { return f.at >= bytes.size(); });
  return out;
}

}  // namespace sfumato::fuzz
