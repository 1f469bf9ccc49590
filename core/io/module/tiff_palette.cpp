// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour maps of TIFF files. They hold 16-bit numbers, of which OpenImageIO keeps the upper eight
// bits; some old programs wrote 8-bit numbers, which it takes for black.
#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/overlay.hpp"
#include "io/module/proxy_input.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

constexpr std::uint16_t photometric_tag = 262, map_tag = 320;
constexpr std::uint64_t palette = 3, most_colors = 3 * 65536, most_entries = 1 << 20;
constexpr int tiff_short = 3;

struct ColorMap {
  std::uint64_t at = 0;
  std::vector<std::uint64_t> values;

  // As libtiff's own tools decide.
  bool has_8_bits() const {
    return std::all_of(values.begin(), values.end(), [](auto v) { return v < 256; });
  }
  bool has_16_bits() const {
    const auto more = [](auto v) { return v % 256 != 0 && v % 257 != 0; };
    return !has_8_bits() && std::any_of(values.begin(), values.end(), more);
  }
};

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

// Each page's 8-bit colour map as a 16-bit one.
std::vector<Patch> widened_maps(const std::filesystem::path& path) {
  std::vector<Patch> out;
  Bytes in(path, false);
  TiffDirectory directory(in);
  const TiffWriter writer(in.big_endian(), directory.big_tiff, 0);
  // The chain of a damaged file may be a ring.
  std::set<std::uint64_t> seen;
  std::uint64_t entries = 0;
  while (directory.count > 0 && directory.at > 0 && seen.insert(directory.at).second) {
    entries += directory.count;
    if (entries > most_entries) break;
    const ColorMap map = color_map_in(in, directory);
    if (!map.values.empty() && map.has_8_bits()) {
      Patch& patch = out.emplace_back(Patch{map.at, {}});
      for (const std::uint64_t value : map.values) writer.put(patch.bytes, 257 * value, 2);
    }
    directory.go_to(in, in.number(directory.entry(directory.count), directory.word));
  }
  return out;
}

class OldPaletteInput final : public ProxyInput {
 public:
  const char* format_name() const override { return "tiff"; }
  int current_subimage() const override { return reader().current_subimage(); }
  bool seek_subimage(int subimage, int miplevel) override {
    if (!reader().seek_subimage(subimage, miplevel)) return false;
    m_spec = reader().spec();
    return true;
  }
  // OpenImageIO's reader of TIFF goes back with its proxy.
  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    return reader().read_native_scanline(subimage, miplevel, y, z, data) || fail_as_reader();
  }
  bool read_native_tile(int subimage, int miplevel, int x, int y, int z, void* data) override {
    return reader().read_native_tile(subimage, miplevel, x, y, z, data) || fail_as_reader();
  }

 private:
  void look_into(const std::string& name) override { maps_ = widened_maps(name); }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    return std::make_unique<Overlay>(file, maps_);
  }

  std::vector<Patch> maps_;
};

}  // namespace

bool has_old_palette(const std::filesystem::path& path) {
  return !widened_maps(path).empty();
}

bool has_16_bit_palette(const std::filesystem::path& path, int page) {
  Bytes in(path, false);
  const TiffDirectory directory(in, page);
  return color_map_in(in, directory).has_16_bits();
}

bool has_palette_and_more(const std::filesystem::path& path, int page) {
  constexpr std::uint16_t samples_tag = 277;
  Bytes in(path, false);
  const TiffDirectory directory(in, page);
  const std::uint64_t samples = directory.find(in, samples_tag);
  const auto word = static_cast<std::uint64_t>(directory.word);
  return samples != 0 && in.number(samples + 4 + word, 2) > 1 &&
         !color_map_in(in, directory).values.empty();
}

std::unique_ptr<OIIO::ImageInput> make_old_palette_input() {
  return std::make_unique<OldPaletteInput>();
}

}  // namespace sfumato::files
