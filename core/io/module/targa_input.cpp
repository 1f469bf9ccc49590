// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// TGA files with colour maps, or of 16 bits a pixel (Truevision TGA File Format Specification 2.0):
// OpenImageIO 2.4 mixes up numbers of colours, and knows no opacity in either.
#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/targa.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

using TargaColor = std::array<std::uint8_t, 4>;

std::uint8_t of_five_bits(std::uint32_t value) {
  constexpr std::uint32_t most = 31;
  return static_cast<std::uint8_t>(((value & most) * 255 + most / 2) / most);
}

// From 2 to 4 bytes, the lowest first.
TargaColor targa_color(std::uint32_t value, int bytes) {
  if (bytes == 2) {
    const bool opaque = (value & 0x8000) != 0;
    return {of_five_bits(value >> 10), of_five_bits(value >> 5), of_five_bits(value),
            static_cast<std::uint8_t>(opaque ? 255 : 0)};
  }
  const auto byte = [&](int number) {
    return static_cast<std::uint8_t>(value >> 8 * number & 255);
  };
  return {byte(2), byte(1), byte(0), bytes == 4 ? byte(3) : std::uint8_t{255}};
}

// The pixels as they are stored, one after the other.
class TargaPixels {
 public:
  TargaPixels(const std::string& name, const TargaHeader& header)
      : in_(name, std::ios::binary), bytes_(header.bytes()), packed_(header.packed()) {
    in_.seekg(static_cast<std::streamoff>(header.data()));
  }

  // False at the file's end.
  bool next(std::uint32_t& pixel) {
    if (packed_ && left_ == 0 && !begin_packet()) return false;
    if (!packed_ || !same_ || !held_) held_ = read(value_);
    pixel = value_;
    if (packed_) --left_;
    return held_;
  }

 private:
  bool begin_packet() {
    const int code = in_.get();
    if (!in_) return false;
    same_ = (code & 0x80) != 0;
    left_ = (code & 0x7f) + 1;
    held_ = false;
    return true;
  }
  bool read(std::uint32_t& value) {
    value = 0;
    for (int i = 0; i < bytes_; ++i) value |= static_cast<std::uint32_t>(in_.get() & 255) << 8 * i;
    return static_cast<bool>(in_);
  }

  std::ifstream in_;
  int bytes_, left_ = 0;
  bool packed_, same_ = false, held_ = false;
  std::uint32_t value_ = 0;
};

class TargaInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "targa"; }
  bool close() override {
    pixels_ = {};
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    return open(name, spec, ImageSpec());
  }
  // What the file says of the picture is read by OpenImageIO.
  bool open(const std::string& name, ImageSpec& spec, const ImageSpec& config) override {
    Bytes bytes(name, false);
    header_.emplace(bytes);
    const bool numbers = header_->by_numbers();
    if (header_->interleaved()) {
      return fail_as_variant(message({"targa.interleaved", "its rows are interleaved"}));
    }
    if (numbers && header_->depth != 8 && header_->depth != 16) {
      return fail_as_variant(
          message({"file.bits_of_pixel", "its pixels have {bits} bits"}, header_->depth));
    }
    if (numbers && (header_->map_kind != 1 || !read_map(bytes))) {
      return fail(message({"targa.no_map", "its palette is missing or of an unknown kind"}));
    }
    const auto reader = OIIO::ImageInput::create("targa");
    if (!reader || !reader->open(name, m_spec, config)) {
      if (reader) errorfmt("{}", reader->geterror());
      return false;
    }
    name_ = name;
    const bool whole = look_through();
    const bool alpha = numbers ? map_has_alpha() : seen_opaque_;
    m_spec.nchannels = alpha ? 4 : 3;
    m_spec.default_channel_names();
    m_spec.set_format(TypeDesc::UINT8);
    m_spec.erase_attribute("oiio:BitsPerSample");
    if (alpha) m_spec.attribute("oiio:UnassociatedAlpha", 1);
    if (!whole) m_spec.attribute("sfumato:short", 1);
    spec = m_spec;
    return true;
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (subimage != 0 || miplevel != 0) return false;
    const auto width = static_cast<std::size_t>(m_spec.width);
    if (pixels_.empty()) decode();
    const int row = header_->top_down() ? y : m_spec.height - 1 - y;
    const std::uint16_t* from = pixels_.data() + static_cast<std::size_t>(row) * width;
    auto* to = static_cast<std::uint8_t*>(data);
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    for (std::size_t x = 0; x < width; ++x, to += channels) {
      const std::uint32_t value = from[header_->right_to_left() ? width - 1 - x : x];
      if (!header_->by_numbers()) {
        std::copy_n(targa_color(value, 2).begin(), channels, to);
        continue;
      }
      const std::uint64_t number = value - header_->first;  // far away if it is less
      if (number >= map_.size()) {
        return fail(message({"file.beyond_palette",
                             "row {row} has the colour number {number}, which is not in the "
                             "palette"},
                            y, value));
      }
      std::copy_n(map_[number].begin(), channels, to);
    }
    return true;
  }

 private:
  bool read_map(Bytes& in) {
    const auto entry = static_cast<int>((header_->entry_bits + 7) / 8);
    if (entry < 2 || entry > 4 || header_->map_size == 0) return false;
    const auto step = static_cast<std::size_t>(entry);
    const std::string bytes = in.text(header_->map(), header_->map_size * step);
    map_.clear();
    for (std::size_t i = 0; i + step <= bytes.size(); i += step) {
      std::uint32_t value = 0;
      for (std::size_t k = step; k-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[i + k]);
      }
      map_.push_back(targa_color(value, entry));
    }
    return !map_.empty();
  }

  // Where no opacity is stated, the fourth bytes are opacity if they differ.
  bool map_has_alpha() const {
    const auto all = [&](std::uint8_t alpha) {
      return std::all_of(map_.begin(), map_.end(),
                         [alpha](const TargaColor& color) { return color[3] == alpha; });
    };
    if (header_->entry_bits < 16 || header_->entry_bits == 24 || all(255)) return false;
    const bool stated = header_->attribute_bits() > 0;
    return header_->has_opacity && (stated || (header_->entry_bits == 32 && !all(0)));
  }

  // Whether all pixels are there. Opacity that is 0 everywhere is none.
  bool look_through() {
    TargaPixels in(name_, *header_);
    const bool may_have_alpha =
        !header_->by_numbers() && header_->attribute_bits() > 0 && header_->has_opacity;
    const std::uint64_t count = m_spec.image_pixels();
    seen_opaque_ = false;
    std::uint32_t pixel = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!in.next(pixel)) return false;
      seen_opaque_ = seen_opaque_ || (may_have_alpha && (pixel & 0x8000) != 0);
    }
    return true;
  }

  // Runs may go on from row to row.
  void decode() {
    TargaPixels in(name_, *header_);
    pixels_.resize(m_spec.image_pixels());
    std::uint32_t pixel = 0;
    for (std::uint16_t& to : pixels_) {
      if (!in.next(pixel)) break;
      to = static_cast<std::uint16_t>(pixel);
    }
  }

  std::string name_;
  std::optional<TargaHeader> header_;
  std::vector<TargaColor> map_;
  std::vector<std::uint16_t> pixels_;
  bool seen_opaque_ = false;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_targa_input() {
  return std::make_unique<TargaInput>();
}

}  // namespace sfumato::files
