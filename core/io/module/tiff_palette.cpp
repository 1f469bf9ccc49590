// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/tiff_palette.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"
#include "io/module/tiff_page.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

constexpr std::uint16_t photometric_tag = 262, samples_tag = 277, map_tag = 320;
constexpr std::uint64_t palette = 3, most_colors = 3 * 65536;
constexpr int tiff_short = 3;

// Empty if there is none.
ColorMap color_map_in(Bytes& in, const TiffDirectory& directory) {
  ColorMap out;
  const auto word = static_cast<std::uint64_t>(directory.word);
  const std::uint64_t colors = directory.find(in, photometric_tag);
  const std::uint64_t entry = directory.find(in, map_tag);
  if (colors == 0 || in.number(colors + 4 + word, 2) != palette || entry == 0) return out;
  const std::uint64_t count = in.number(entry + 4, directory.word);
  if (in.number(entry + 2, 2) != tiff_short || count > most_colors) return out;
  const std::uint64_t size = 2 * count;
  out.at = size <= word ? entry + 4 + word : in.number(entry + 4 + word, directory.word);
  const std::string bytes = in.text(out.at, size);
  const auto first = in.big_endian() ? std::size_t{0} : std::size_t{1};
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    out.values.push_back(static_cast<unsigned char>(bytes[i + first]) << 8 |
                         static_cast<unsigned char>(bytes[i + 1 - first]));
  }
  return out;
}

// A place on a page that is too far away for OpenImageIO's sums, as 0: it is carried as a tag.
std::vector<Patch> without_far_place(Bytes& in, const TiffDirectory& directory) {
  constexpr std::array<std::uint16_t, 2> places = {286, 287};
  constexpr std::uint64_t farthest = 1 << 20, fraction = 5, unknown_tag = 65000;
  const auto word = static_cast<std::uint64_t>(directory.word);
  const TiffWriter writer(in.big_endian(), directory.big_tiff, 0);
  std::vector<Patch> out;
  for (const std::uint16_t tag : places) {
    const std::uint64_t entry = directory.find(in, tag);
    if (entry == 0) continue;
    const std::uint64_t value = entry + 4 + word, at = word < 8 ? in.number(value, 4) : value;
    const std::uint64_t below = in.number(at + 4, 4);
    const bool is_fraction = in.number(entry + 2, 2) == fraction;
    if (is_fraction && below > 0 && in.number(at, 4) / below < farthest) continue;
    Patch hidden{is_fraction ? at : entry, {}};
    writer.put(hidden.bytes, is_fraction ? 0 : unknown_tag, is_fraction ? 4 : 2);
    out.push_back(std::move(hidden));
  }
  return out;
}

// Strips of more rows than the picture has, as strips of all rows: as OpenImageIO sizes its buffers
// by this number, it would ask for memory that nothing needs.
std::vector<Patch> without_surplus_rows(Bytes& in, const TiffDirectory& directory) {
  constexpr std::uint16_t tag_of_height = 257, tag_of_compression = 259, tag_of_rows = 278;
  constexpr std::uint64_t uncompressed = 1;
  const auto number = [&](std::uint16_t tag) {
    const auto all = tiff_numbers(in, directory, tag);
    return all && all->size() == 1 ? all->front() : 0;
  };
  const std::uint64_t height = number(tag_of_height), compression = number(tag_of_compression);
  if (height == 0 || compression <= uncompressed || number(tag_of_rows) <= height) return {};
  const std::uint64_t entry = directory.find(in, tag_of_rows);
  const std::uint64_t bytes = tiff_value_bytes(static_cast<int>(in.number(entry + 2, 2)));
  Patch clamped{entry + 4 + static_cast<std::uint64_t>(directory.word), {}};
  TiffWriter(in.big_endian(), directory.big_tiff, 0)
      .put(clamped.bytes, height, static_cast<int>(bytes));
  return {std::move(clamped)};
}

// The place of a tag's value in the file; 0 if there is none.
std::uint64_t place_of_value(Bytes& in, const TiffDirectory& directory, std::uint16_t tag) {
  const std::uint64_t entry = directory.find(in, tag);
  return entry == 0 ? 0 : entry + 4 + static_cast<std::uint64_t>(directory.word);
}

}  // namespace

ShownPalette shown_palette(Bytes& in, const TiffDirectory& directory) {
  ShownPalette out;
  out.patches = without_far_place(in, directory);
  for (Patch& one : without_surplus_rows(in, directory)) out.patches.push_back(std::move(one));
  out.map = color_map_in(in, directory);
  if (out.map.values.empty()) return out;
  const TiffWriter writer(in.big_endian(), directory.big_tiff, 0);
  if (out.map.has_8_bits()) {
    Patch patch{out.map.at, {}};
    for (std::uint64_t& value : out.map.values) {
      value *= 257;
      writer.put(patch.bytes, value, 2);
    }
    out.patches.push_back(std::move(patch));
  }
  const std::uint64_t samples = place_of_value(in, directory, samples_tag);
  if (samples == 0 || in.number(samples, 2) <= 1) {
    out.map = {};
    return out;
  }
  constexpr std::uint64_t black_is_zero = 1;
  Patch& patch =
      out.patches.emplace_back(Patch{place_of_value(in, directory, photometric_tag), {}});
  writer.put(patch.bytes, black_is_zero, 2);
  return out;
}

bool has_16_bit_palette(const std::filesystem::path& path, const OIIO::ImageSpec& page) {
  Bytes in(path, false);
  const TiffDirectory directory(in, directory_of(page));
  return color_map_in(in, directory).has_16_bits();
}

}  // namespace sfumato::files
