// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// TIFF files with several pages or unusual colour maps. OpenImageIO finds a page by reading the
// directories of all pages before it, so that a file of many pages would take a time that grows
// with the square of their number: here each page is shown to it as the first one.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"
#include "io/module/proxy_input.hpp"
#include "io/module/tiff_page.hpp"
#include "io/module/tiff_palette.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

// Whether a strip or tile of a page ends behind the end of the file.
bool ends_behind_file(Bytes& in, const TiffDirectory& directory) {
  constexpr std::pair<std::uint16_t, std::uint16_t> strips{273, 279}, tiles{324, 325};
  for (const auto& [place_tag, size_tag] : {strips, tiles}) {
    const auto places = tiff_numbers(in, directory, place_tag),
               sizes = tiff_numbers(in, directory, size_tag);
    if (!places || !sizes) continue;
    for (std::size_t i = 0; i < std::min(places->size(), sizes->size()); ++i) {
      if (!in.has((*places)[i], (*sizes)[i])) return true;
    }
  }
  return false;
}

class TiffInput final : public ProxyInput {
 public:
  explicit TiffInput(bool pages) : pages_(pages) {}
  using ProxyInput::open;
  const char* format_name() const override { return "tiff"; }
  bool open(const std::string& name, OIIO::ImageSpec& spec,
            const OIIO::ImageSpec& config) override {
    if (!ProxyInput::open(name, spec, config)) return false;
    // What OpenImageIO takes for one picture in several sizes.
    const bool texture = m_spec.find_attribute("textureformat") != nullptr;
    const bool levels = texture && directories_.size() > 1;
    if (texture) directories_.resize(1);
    describe();
    if (levels) m_spec.attribute(smaller_copies, 1);
    spec = m_spec;
    return true;
  }
  int current_subimage() const override { return page_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 ||
        static_cast<std::size_t>(subimage) >= directories_.size()) {
      return false;
    }
    if (is_open() && subimage == page_) return true;
    page_ = subimage;
    look_at_page();
    if (!open_again()) return false;
    describe();
    return true;
  }
  // OpenImageIO's reader of TIFF goes back with its proxy.
  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (is_short_) return fail_short();
    if (map().values.empty()) {
      return reader().read_native_scanline(0, 0, y, z, data) || fail_as_reader();
    }
    held_.resize(static_cast<std::size_t>(stored_.scanline_bytes(true)));
    if (!reader().read_native_scanline(0, 0, y, z, held_.data())) {
      return fail_as_reader();
    }
    return look_up(static_cast<std::size_t>(stored_.width), data);
  }
  // Compressed planes cannot be read row by row.
  bool read_native_scanlines(int subimage, int miplevel, int y0, int y1, int z,
                             void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (is_short_) return fail_short();
    if (!map().values.empty()) {
      return ImageInput::read_native_scanlines(subimage, miplevel, y0, y1, z, data);
    }
    return reader().read_native_scanlines(0, 0, y0, y1, z, data) || fail_as_reader();
  }
  bool read_native_scanlines(int subimage, int miplevel, int y0, int y1, int z, int first, int end,
                             void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (is_short_) return fail_short();
    if (!map().values.empty()) {
      return ImageInput::read_native_scanlines(subimage, miplevel, y0, y1, z, first, end, data);
    }
    return reader().read_native_scanlines(0, 0, y0, y1, z, first, end, data) || fail_as_reader();
  }
  bool read_native_tile(int subimage, int miplevel, int x, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (is_short_) return fail_short();
    if (map().values.empty()) {
      return reader().read_native_tile(0, 0, x, y, z, data) || fail_as_reader();
    }
    held_.resize(static_cast<std::size_t>(stored_.tile_bytes(true)));
    if (!reader().read_native_tile(0, 0, x, y, z, held_.data())) {
      return fail_as_reader();
    }
    return look_up(static_cast<std::size_t>(stored_.tile_pixels()), data);
  }

 private:
  bool fail_short() {
    errorfmt("a strip or tile ends behind the end of the file");
    return false;
  }

  void look_into(const std::string& name) override {
    path_ = name;
    Bytes in(path_, false);
    TiffPages pages = pages_in_tiff(in);
    directories_ = std::move(pages.directories);
    is_cut_ = pages.is_cut;
    go_on_ = pages.go_on;
    if (!pages_) move_main_to_front(in, directories_);
    page_ = 0;
    look_at_page();
  }
  // A damaged file without any is shown as it is.
  void look_at_page() {
    palette_ = {};
    is_short_ = false;
    if (directories_.empty()) return;
    Bytes in(path_, false);
    TiffDirectory directory(in);
    directory.go_to(in, directories_[static_cast<std::size_t>(page_)]);
    palette_ = shown_palette(in, directory);
    is_short_ = ends_behind_file(in, directory);
    Patch first{directory.header, {}};
    TiffWriter(in.big_endian(), directory.big_tiff, 0)
        .put(first.bytes, directory.at, directory.word);
    palette_.patches.push_back(std::move(first));
  }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    return std::make_unique<Overlay>(file, palette_.patches);
  }

  // Three colours in place of a number.
  void describe() {
    constexpr int rgb = 2;
    stored_ = m_spec;
    m_spec.attribute("sfumato:pages", static_cast<int>(directories_.size()));
    if (is_cut_) m_spec.attribute("sfumato:pages_cut", 1);
    if (go_on_) m_spec.attribute(pages_beyond, 1);
    if (!directories_.empty()) {
      set_directory(m_spec, directories_[static_cast<std::size_t>(page_)]);
    }
    const bool whole =
        stored_.format == OIIO::TypeDesc::UINT8 || stored_.format == OIIO::TypeDesc::UINT16;
    if (!whole) palette_.map = {};
    if (map().values.empty()) return;
    m_spec.nchannels += 2;
    m_spec.channelnames = {"R", "G", "B"};
    for (int c = 1; c < stored_.nchannels; ++c) {
      m_spec.channelnames.push_back(stored_.channel_name(c));
    }
    m_spec.channelformats.clear();
    if (stored_.alpha_channel > 0) m_spec.alpha_channel = stored_.alpha_channel + 2;
    m_spec.attribute("tiff:PhotometricInterpretation", rgb);
    m_spec.attribute(colors_of_palette, 1);
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
    const std::size_t colors = map().values.size() / 3;
    const int bits = stored_.get_int_attribute("oiio:BitsPerSample", 8 * int{sizeof(Sample)});
    const std::size_t largest = (std::size_t{1} << std::clamp(bits, 1, 16)) - 1;
    for (std::size_t i = 0; i < pixels; ++i) {
      const std::size_t number = (*from++ * largest + most / 2) / most;
      if (number >= colors) {
        return fail(message(
            {"file.not_in_palette", "the colour number {number} is not in the palette"}, number));
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint64_t value = map().values[c * colors + number];
        *to++ = static_cast<Sample>(sizeof(Sample) == 1 ? value >> 8 : value);
      }
      for (int c = 1; c < stored_.nchannels; ++c) *to++ = *from++;
    }
    return true;
  }

  const ColorMap& map() const { return palette_.map; }

  bool pages_;
  std::filesystem::path path_;
  std::vector<std::uint64_t> directories_;
  bool is_cut_ = false, go_on_ = false;
  bool is_short_ = false;  // data of the page are missing, which OpenImageIO does not notice here
  int page_ = 0;
  ShownPalette palette_;    // of the page
  OIIO::ImageSpec stored_;  // of the page, as OpenImageIO sees it
  std::vector<char> held_;
};

}  // namespace

TiffPages pages_in_tiff(Bytes& in) {
  TiffPages out;
  std::set<std::uint64_t> seen;
  TiffDirectory directory(in);
  while (directory.at > 0) {
    out.go_on = out.directories.size() == static_cast<std::size_t>(most_pages);
    if (out.go_on) break;
    out.is_cut = directory.count == 0 || !seen.insert(directory.at).second;
    if (out.is_cut) break;
    out.directories.push_back(directory.at);
    const std::uint64_t link = directory.entry(directory.count);
    out.is_cut = !in.has(link, static_cast<std::uint64_t>(directory.word));
    directory.go_to(in, in.number(link, directory.word));
  }
  return out;
}

void move_main_to_front(Bytes& in, std::vector<std::uint64_t>& directories) {
  TiffDirectory directory(in);
  const auto main = std::find_if(directories.begin(), directories.end(), [&](std::uint64_t place) {
    directory.go_to(in, place);
    return (subfile_bits(in, directory) & (subfile_reduced | subfile_mask)) == 0;
  });
  if (main != directories.end()) std::rotate(directories.begin(), main, main + 1);
}

bool is_unusual_tiff(const std::filesystem::path& path) {
  Bytes in(path, false);
  const TiffDirectory directory(in);
  const TiffPages pages = pages_in_tiff(in);
  return pages.is_cut || pages.directories.size() > 1 ||
         !shown_palette(in, directory).patches.empty();
}

std::unique_ptr<OIIO::ImageInput> make_tiff_input(bool pages) {
  return std::make_unique<TiffInput>(pages);
}

}  // namespace sfumato::files
