// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How libheif turns and crops a picture of a HEIF or AVIF file, by its properties (ISO/IEC
// 23008-12, 6.5; ISO/IEC 14496-12, 12.1.4).
#include <cmath>

#include "io/module/embedded.hpp"
#include "io/module/pixel_change.hpp"

namespace sfumato::files {
namespace {

constexpr int largest_heif_side = 1 << 30;

std::uint32_t main_item(Bytes& in, const Box& meta) {
  std::uint64_t version = 0;
  const Box item = full_box_within(in, meta, "pitm", version);
  return static_cast<std::uint32_t>(in.number(item.at, version == 0 ? 2 : 4));
}

// The numbers of an item's properties, from 1, in the order in which they are to be applied.
std::vector<std::uint64_t> properties_of(Bytes& in, const Box& properties, std::uint32_t item) {
  constexpr std::uint64_t head = 4, most = 1000;
  std::vector<std::uint64_t> out;
  for (const Box& b : boxes_in(in, properties.at, properties.at + properties.size)) {
    if (b.name != "ipma" || b.size < head + 4) continue;
    const bool long_ids = in.number(b.at, 1) > 0, long_numbers = (in.number(b.at + 3, 1) & 1) != 0;
    const std::uint64_t items = in.number(b.at + head, 4), id_bytes = long_ids ? 4 : 2,
                        bytes = long_numbers ? 2 : 1;
    std::uint64_t at = b.at + head + 4;
    for (std::uint64_t i = 0; i < items && at < b.at + b.size; ++i) {
      const bool wanted = in.number(at, static_cast<int>(id_bytes)) == item;
      const std::uint64_t count = in.number(at + id_bytes, 1);
      at += id_bytes + 1;
      for (std::uint64_t k = 0; k < count && out.size() < most; ++k, at += bytes) {
        const std::uint64_t essential = std::uint64_t{1} << (8 * bytes - 1);
        if (wanted) out.push_back(in.number(at, static_cast<int>(bytes)) & (essential - 1));
      }
    }
  }
  return out;
}

PixelChange turned_ccw(const PictureSize& size, std::uint64_t quarters) {
  constexpr std::array<int, 4> orientations = {1, 8, 3, 6};
  return turning(size, orientations[quarters & 3]);
}

// The centre's distance from the picture's, and the sides, as fractions of 32-bit numbers.
PixelChange cropped(Bytes& in, const Box& clap, const PictureSize& size) {
  std::array<double, 4> said{};  // width, height, and the two distances
  for (std::size_t i = 0; i < said.size(); ++i) {
    const auto above = static_cast<std::uint32_t>(in.number(clap.at + 8 * i, 4)),
               below = static_cast<std::uint32_t>(in.number(clap.at + 8 * i + 4, 4));
    if (below == 0) return no_change(size);
    said[i] = static_cast<double>(static_cast<std::int32_t>(above)) / below;
  }
  const PictureSize to{static_cast<int>(std::lround(said[0])),
                       static_cast<int>(std::lround(said[1]))};
  if (to.width < 1 || to.height < 1 || to.width > size.width || to.height > size.height) {
    return no_change(size);
  }
  return cropping(size, to, std::round(said[2] + (size.width - said[0]) / 2),
                  std::round(said[3] + (size.height - said[1]) / 2));
}

PixelChange change_by(Bytes& in, const Box& property, const PictureSize& size) {
  constexpr std::uint64_t clap_bytes = 32;
  const std::uint64_t first = property.size > 0 ? in.number(property.at, 1) : 0;
  if (property.name == "irot") return turned_ccw(size, first);
  // 0 exchanges top and bottom.
  if (property.name == "imir") return turning(size, (first & 1) == 0 ? 4 : 2);
  if (property.name == "clap" && property.size == clap_bytes) return cropped(in, property, size);
  return no_change(size);
}

}  // namespace

PixelChange change_in_heif(const std::filesystem::path& path, std::uint32_t item) {
  Bytes in(path, true);
  std::uint64_t version = 0;
  const Box meta = full_box_within(in, {{}, 0, in.size()}, "meta", version);
  const Box properties = inner_box(in, meta, "iprp"), list = inner_box(in, properties, "ipco");
  const std::vector<Box> all = boxes_in(in, list.at, list.at + list.size);
  std::vector<Box> held;
  for (const std::uint64_t number :
       properties_of(in, properties, item == 0 ? main_item(in, meta) : item)) {
    if (number > 0 && number <= all.size()) held.push_back(all[number - 1]);
  }
  PictureSize stored;
  for (const Box& one : held) {
    if (one.name != "ispe" || one.size != 12) continue;
    const std::uint64_t width = in.number(one.at + 4, 4), height = in.number(one.at + 8, 4);
    if (std::max(width, height) > largest_heif_side) return {};
    stored = {static_cast<int>(width), static_cast<int>(height)};
  }
  PixelChange out = no_change(stored);
  if (stored.width < 1 || stored.height < 1) return out;
  for (const Box& one : held) out = out + change_by(in, one, out.to);
  return out;
}

}  // namespace sfumato::files
