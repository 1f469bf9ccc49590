// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the boxes of a JP2 file say of its samples: colours, palette, opacity, and where they are.
#include <algorithm>
#include <array>

#include "io/module/embedded.hpp"
#include "io/module/jpeg2000.hpp"

namespace sfumato::files {

std::vector<Box> boxes_in(Bytes& in, std::uint64_t at, std::uint64_t end) {
  constexpr std::size_t most = 1000;
  std::vector<Box> out;
  while (out.size() < most && at + 8 <= end && in.has(at, 8)) {
    std::uint64_t size = in.number(at, 4), head = 8;
    if (size == 1) {
      size = in.number(at + 8, 8);
      head = 16;
    }
    if (size == 0) size = end - at;
    if (size < head || size > end - at) break;
    out.push_back({in.text(at + 4, 4), at + head, size - head});
    at += size;
  }
  return out;
}

namespace {

using Kind = Jp2Channel::Kind;

// The colour space by its number, or a profile.
void read_colours(Bytes& in, const Box& b, Jp2Head& head) {
  constexpr int by_number = 1, by_profile = 2, by_any_profile = 3;
  const auto method = static_cast<int>(in.number(b.at, 1));
  if (method == by_number && b.size >= 7) {
    head.space = static_cast<int>(in.number(b.at + 3, 4) & 0x7fffffff);
  } else if ((method == by_profile || method == by_any_profile) && b.size > 3) {
    const std::string profile = in.text(b.at + 3, b.size - 3);
    head.profile.assign(profile.begin(), profile.end());
  }
}

// Rows of columns of up to 32 bits, each of which takes whole bytes.
void read_palette(Bytes& in, const Box& b, Jp2Palette& palette) {
  const std::uint64_t rows = in.number(b.at, 2), columns = in.number(b.at + 2, 1);
  std::uint64_t at = b.at + 3 + columns, row_bytes = 0;
  Jp2Palette out;
  for (std::uint64_t c = 0; c < columns; ++c) {
    const std::uint64_t depth = in.number(b.at + 3 + c, 1);
    const int bits = static_cast<int>(depth & 0x7f) + 1;
    if (depth > 0x7f || bits > 32) return;  // no palette has signed colours
    out.bits.push_back(bits);
    row_bytes += static_cast<std::uint64_t>(bits + 7) / 8;
  }
  if (rows == 0 || rows > 1024 || rows * row_bytes > b.size - std::min(b.size, 3 + columns)) return;
  for (std::uint64_t r = 0; r < rows; ++r) {
    std::vector<std::uint32_t>& row = out.rows.emplace_back();
    for (const int bits : out.bits) {
      const int bytes = (bits + 7) / 8;
      row.push_back(static_cast<std::uint32_t>(in.number(at, bytes)));
      at += static_cast<std::uint64_t>(bytes);
    }
  }
  palette = std::move(out);
}

// Which component each channel is, and whether through the palette.
std::vector<Jp2Channel> read_mapping(Bytes& in, const Box& b) {
  std::vector<Jp2Channel> out;
  for (std::uint64_t at = 0; at + 4 <= b.size && out.size() < 1000; at += 4) {
    Jp2Channel& one = out.emplace_back();
    one.component = static_cast<std::size_t>(in.number(b.at + at, 2));
    if (in.number(b.at + at + 2, 1) == 1)
      one.column = static_cast<int>(in.number(b.at + at + 3, 1));
  }
  return out;
}

// What a channel means: number, kind, and of which colour (0: of all, 65535: of none).
struct Definition {
  std::uint64_t channel, kind, of;
};

std::vector<Definition> read_definitions(Bytes& in, const Box& b) {
  std::vector<Definition> out;
  const std::uint64_t count =
      std::min(in.number(b.at, 2), (b.size - std::min<std::uint64_t>(b.size, 2)) / 6);
  for (std::uint64_t i = 0, at = b.at + 2; i < count; ++i, at += 6) {
    out.push_back({in.number(at, 2), in.number(at + 2, 2), in.number(at + 4, 2)});
  }
  return out;
}

void apply(const Definition& said, std::vector<Jp2Channel>& channels) {
  constexpr std::uint64_t opacity = 1, premultiplied = 2, of_all = 0, of_none = 65535;
  if (said.channel >= channels.size()) return;
  Jp2Channel& one = channels[static_cast<std::size_t>(said.channel)];
  one.kind = Kind::other;
  if (said.kind == 0 && said.of != of_all && said.of != of_none) {
    one.kind = Kind::colour;
    one.place = static_cast<int>(said.of) - 1;
  } else if (said.of == of_all && said.kind == opacity) {
    one.kind = Kind::opacity;
  } else if (said.of == of_all && said.kind == premultiplied) {
    one.kind = Kind::premultiplied_opacity;
  }
}

// The number of colours, by the profile or the space.
int colours_of(const Jp2Head& head) {
  constexpr std::array one = {0, 15, 17};
  constexpr std::array four = {12, 13};
  const auto among = [&](const auto& spaces) {
    return std::find(spaces.begin(), spaces.end(), head.space) != spaces.end();
  };
  if (head.profile.size() > 20) {
    const std::string_view kind(reinterpret_cast<const char*>(head.profile.data()) + 16, 4);
    return kind == "GRAY" ? 1 : kind == "CMYK" ? 4 : 3;
  }
  if (head.space < 0) return head.channels.size() >= 3 ? 3 : 1;
  return among(one) ? 1 : among(four) ? 4 : 3;
}

// Without definitions the first channels are the colours in their order, and nothing says what the
// others are.
void number_in_order(Jp2Head& head) {
  const int colours = colours_of(head);
  int place = 0;
  for (Jp2Channel& one : head.channels) {
    one.kind = place < colours ? Kind::colour : Kind::other;
    one.place = place++;
  }
}

// Whether each is of a component and a column that are there.
bool are_there(const Jp2Head& head, std::size_t components) {
  const auto columns = static_cast<int>(head.palette.bits.size());
  return !head.channels.empty() &&
         std::all_of(head.channels.begin(), head.channels.end(), [&](const Jp2Channel& one) {
           return one.component < components && one.column < columns;
         });
}

struct Boxes {
  std::vector<Jp2Channel> mapped;
  std::vector<Definition> definitions;
};

void read_header(Bytes& in, const Box& header, Jp2Head& head, Boxes& boxes) {
  bool has_colours = false;
  for (const Box& one : boxes_in(in, header.at, header.at + header.size)) {
    // The first one counts.
    if (one.name == "colr" && !std::exchange(has_colours, true)) read_colours(in, one, head);
    if (one.name == "pclr") read_palette(in, one, head.palette);
    if (one.name == "cmap") boxes.mapped = read_mapping(in, one);
    if (one.name == "cdef") boxes.definitions = read_definitions(in, one);
  }
}

}  // namespace

Jp2Head read_jp2_head(const std::filesystem::path& path) {
  constexpr std::uint64_t components_in_header = 40;  // of the codestream
  Bytes in(path, true);
  Jp2Head head;
  Boxes boxes;
  if (in.text(4, 4) == "jP  ") {
    for (const Box& b : boxes_in(in, 0, in.size())) {
      if (b.name == "jp2h") read_header(in, b, head, boxes);
      if (b.name != "jp2c" || head.codestreams++ > 0) continue;
      head.codestream = b.at;
      head.codestream_size = b.size;
    }
  } else {
    head.codestream_size = in.size();
  }
  const auto components = static_cast<std::size_t>(
      std::min<std::uint64_t>(in.number(head.codestream + components_in_header, 2), 16384));
  head.channels = boxes.mapped;
  if (!are_there(head, components)) {
    head.channels.assign(components, {});
    for (std::size_t i = 0; i < components; ++i) head.channels[i].component = i;
  }
  number_in_order(head);
  for (const Definition& one : boxes.definitions) apply(one, head.channels);
  std::stable_sort(head.channels.begin(), head.channels.end(),
                   [](const Jp2Channel& a, const Jp2Channel& b) {
                     return std::pair(a.kind, a.place) < std::pair(b.kind, b.place);
                   });
  return head;
}

}  // namespace sfumato::files
