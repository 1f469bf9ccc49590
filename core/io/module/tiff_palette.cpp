// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour maps of TIFF files. They hold 16-bit numbers, of which OpenImageIO keeps the upper eight
// bits; some old programs wrote 8-bit numbers, which it takes for black. Numbers of colours with
// other samples beside them, such as opacity, are shown to it as gray, and looked up here.
#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/overlay.hpp"
#include "io/module/proxy_input.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

constexpr std::uint16_t photometric_tag = 262, samples_tag = 277, map_tag = 320;
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

// The place of a tag's value in the file; 0 if there is none.
std::uint64_t place_of_value(Bytes& in, const TiffDirectory& directory, std::uint16_t tag) {
  const std::uint64_t entry = directory.find(in, tag);
  return entry == 0 ? 0 : entry + 4 + static_cast<std::uint64_t>(directory.word);
}

struct Palettes {
  std::vector<Patch> patches;
  std::vector<ColorMap> maps;  // of each page whose numbers have samples beside them; else empty
};

// Each page's 8-bit colour map as a 16-bit one, and pages with other samples as gray.
Palettes palettes_in(const std::filesystem::path& path) {
  Palettes out;
  Bytes in(path, false);
  TiffDirectory directory(in);
  const TiffWriter writer(in.big_endian(), directory.big_tiff, 0);
  // The chain of a damaged file may be a ring.
  std::set<std::uint64_t> seen;
  std::uint64_t entries = 0;
  while (directory.count > 0 && directory.at > 0 && seen.insert(directory.at).second) {
    entries += directory.count;
    if (entries > most_entries) break;
    ColorMap map = color_map_in(in, directory);
    const std::uint64_t samples = place_of_value(in, directory, samples_tag);
    const bool more = !map.values.empty() && samples != 0 && in.number(samples, 2) > 1;
    if (!map.values.empty() && map.has_8_bits()) {
      Patch patch{map.at, {}};
      for (std::uint64_t& value : map.values) {
        value *= 257;
        writer.put(patch.bytes, value, 2);
      }
      out.patches.push_back(std::move(patch));
    }
    if (more) {
      constexpr std::uint64_t black_is_zero = 1;
      Patch& patch =
          out.patches.emplace_back(Patch{place_of_value(in, directory, photometric_tag), {}});
      writer.put(patch.bytes, black_is_zero, 2);
    }
    out.maps.push_back(more ? std::move(map) : ColorMap());
    directory.go_to(in, in.number(directory.entry(directory.count), directory.word));
  }
  return out;
}

class PaletteInput final : public ProxyInput {
 public:
  using ProxyInput::open;
  const char* format_name() const override { return "tiff"; }
  bool open(const std::string& name, OIIO::ImageSpec& spec,
            const OIIO::ImageSpec& config) override {
    if (!ProxyInput::open(name, spec, config)) return false;
    describe(0);
    spec = m_spec;
    return true;
  }
  int current_subimage() const override { return reader().current_subimage(); }
  bool seek_subimage(int subimage, int miplevel) override {
    if (subimage == current_subimage() && miplevel == 0) return true;
    if (!reader().seek_subimage(subimage, miplevel)) return false;
    describe(subimage);
    return true;
  }
  // OpenImageIO's reader of TIFF goes back with its proxy.
  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (map_.values.empty()) {
      return reader().read_native_scanline(subimage, miplevel, y, z, data) || fail_as_reader();
    }
    held_.resize(static_cast<std::size_t>(stored_.scanline_bytes(true)));
    if (!reader().read_native_scanline(subimage, miplevel, y, z, held_.data())) {
      return fail_as_reader();
    }
    return look_up(static_cast<std::size_t>(stored_.width), data);
  }
  bool read_native_tile(int subimage, int miplevel, int x, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (map_.values.empty()) {
      return reader().read_native_tile(subimage, miplevel, x, y, z, data) || fail_as_reader();
    }
    held_.resize(static_cast<std::size_t>(stored_.tile_bytes(true)));
    if (!reader().read_native_tile(subimage, miplevel, x, y, z, held_.data())) {
      return fail_as_reader();
    }
    return look_up(static_cast<std::size_t>(stored_.tile_pixels()), data);
  }

 private:
  void look_into(const std::string& name) override { palettes_ = palettes_in(name); }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    return std::make_unique<Overlay>(file, palettes_.patches);
  }

  // Three colours in place of a number.
  void describe(int page) {
    constexpr int rgb = 2;
    m_spec = stored_ = reader().spec();
    const auto index = static_cast<std::size_t>(page);
    map_ = index < palettes_.maps.size() ? palettes_.maps[index] : ColorMap();
    const bool whole =
        stored_.format == OIIO::TypeDesc::UINT8 || stored_.format == OIIO::TypeDesc::UINT16;
    if (!whole) map_ = {};
    if (map_.values.empty()) return;
    m_spec.nchannels += 2;
    m_spec.channelnames = {"R", "G", "B"};
    for (int c = 1; c < stored_.nchannels; ++c) {
      m_spec.channelnames.push_back(stored_.channel_name(c));
    }
    m_spec.channelformats.clear();
    if (stored_.alpha_channel > 0) m_spec.alpha_channel = stored_.alpha_channel + 2;
    m_spec.attribute("tiff:PhotometricInterpretation", rgb);
  }

  bool look_up(std::size_t pixels, void* data) {
    return stored_.format == OIIO::TypeDesc::UINT8
               ? look_up(pixels, reinterpret_cast<const std::uint8_t*>(held_.data()),
                         static_cast<std::uint8_t*>(data))
               : look_up(pixels, reinterpret_cast<const std::uint16_t*>(held_.data()),
                         static_cast<std::uint16_t*>(data));
  }
  // OpenImageIO spreads numbers of fewer bits over the range of its type.
  template <typename Sample>
  bool look_up(std::size_t pixels, const Sample* from, Sample* to) {
    constexpr std::size_t most = std::numeric_limits<Sample>::max();
    const std::size_t colors = map_.values.size() / 3;
    const int bits = stored_.get_int_attribute("oiio:BitsPerSample", 8 * int{sizeof(Sample)});
    const std::size_t largest = (std::size_t{1} << std::clamp(bits, 1, 16)) - 1;
    for (std::size_t i = 0; i < pixels; ++i) {
      const std::size_t number = (*from++ * largest + most / 2) / most;
      if (number >= colors) {
        return fail(message(
            {"file.not_in_palette", "the colour number {number} is not in the palette"}, number));
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint64_t value = map_.values[c * colors + number];
        *to++ = static_cast<Sample>(sizeof(Sample) == 1 ? value >> 8 : value);
      }
      for (int c = 1; c < stored_.nchannels; ++c) *to++ = *from++;
    }
    return true;
  }

  Palettes palettes_;
  OIIO::ImageSpec stored_;  // of the page, as OpenImageIO sees it
  ColorMap map_;
  std::vector<char> held_;
};

}  // namespace

bool has_unusual_palette(const std::filesystem::path& path) {
  return !palettes_in(path).patches.empty();
}

bool has_16_bit_palette(const std::filesystem::path& path, int page) {
  Bytes in(path, false);
  const TiffDirectory directory(in, page);
  return color_map_in(in, directory).has_16_bits();
}

std::unique_ptr<OIIO::ImageInput> make_palette_input() {
  return std::make_unique<PaletteInput>();
}

}  // namespace sfumato::files
