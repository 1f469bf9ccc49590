// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// BMP pictures of Windows and OS/2: OpenImageIO 2.4 takes all 32-bit pixels for blue, green, red
// and alpha, rounds others, and refuses runs and short palettes.
#include <OpenImageIO/imageio.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include "io/module/bmp.hpp"
#include "io/module/bmp_runs.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

class BmpInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "bmp"; }
  bool close() override {
    runs_.reset();
    in_.close();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    Bytes bytes(name, false);
    header_.emplace(bytes);
    if (auto kind = header_->variant()) return fail_as_variant(std::move(*kind));
    if (auto fault = header_->fault()) return fail(std::move(*fault));
    in_.open(name, std::ios::binary);
    bool whole = false;
    if (header_->coding == BmpHeader::Coding::rows) {
      whole = holds_all(bytes.size());
    } else {
      runs_ = std::make_unique<BmpRuns>(in_, *header_);
      whole = runs_->are_whole();
    }
    describe(whole && has_alpha(bytes));
    if (!whole) m_spec.attribute("sfumato:short", 1);
    spec = m_spec;
    return true;
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (subimage != 0 || miplevel != 0) return false;
    if (runs_ && !runs_->holds(static_cast<std::uint64_t>(y))) {
      fill_row(static_cast<std::uint8_t*>(data));
      return true;
    }
    if (!read_pixels(static_cast<std::uint64_t>(y))) {
      return fail(message({"netpbm.row_missing", "row {row} is missing"}, y));
    }
    if (!header_->palette.empty() && header_->bits <= 8) {
      return write_colors(y, static_cast<std::uint8_t*>(data));
    }
    if (m_spec.format == TypeDesc::UINT16) {
      write_samples(static_cast<std::uint16_t*>(data), 65535);
    } else {
      write_samples(static_cast<std::uint8_t*>(data), 255);
    }
    return true;
  }

 private:
  // The last row's padding may be missing.
  bool holds_all(std::uint64_t size) const {
    const std::uint64_t held = size - std::min(size, header_->data);
    const std::uint64_t row = header_->row_bytes();
    const std::uint64_t last = (header_->width * static_cast<std::uint64_t>(header_->bits) + 7) / 8;
    return held >= last && (held - last) / row >= header_->height - 1;
  }

  // If no mask says so, the fourth byte is opacity unless it is 0 everywhere.
  bool has_alpha(Bytes& in) const {
    if (header_->masks[3].bits != 0) return true;
    if (header_->bits != 32 || header_->has_masks) return false;
    constexpr std::uint64_t piece = std::uint64_t{1} << 20;
    const std::uint64_t end =
        std::min(in.size(), header_->data + header_->row_bytes() * header_->height);
    for (std::uint64_t at = header_->data; at < end; at += piece) {
      const std::string bytes = in.text(at, std::min(piece, end - at));
      for (std::size_t i = 3; i < bytes.size(); i += 4) {
        if (bytes[i] != '\0') return true;
      }
    }
    return false;
  }

  void describe(bool alpha) {
    constexpr std::uint64_t byte = 255;
    const BmpHeader& h = *header_;
    if (alpha && h.masks[3].bits == 0) header_->masks[3].bits = 0xff000000;
    const bool deep = h.bits > 8 && std::any_of(h.masks.begin(), h.masks.end(),
                                                [](const BmpMask& m) { return m.most() > byte; });
    const int channels = alpha ? 4 : h.is_gray() ? 1 : 3;
    m_spec = ImageSpec(static_cast<int>(h.width), static_cast<int>(h.height), channels,
                       deep ? TypeDesc::UINT16 : TypeDesc::UINT8);
    if (alpha) m_spec.attribute("oiio:UnassociatedAlpha", 1);
    if (h.x_per_metre > 0 && h.y_per_metre > 0) {
      m_spec.attribute("XResolution", static_cast<float>(h.x_per_metre));
      m_spec.attribute("YResolution", static_cast<float>(h.y_per_metre));
      m_spec.attribute("ResolutionUnit", "m");
    }
  }

  // Numbers of colours, or pixels.
  bool read_pixels(std::uint64_t y) {
    pixels_.resize(static_cast<std::size_t>(m_spec.width));
    if (runs_) return runs_->read(y, pixels_);
    const std::uint64_t row = header_->top_down ? y : header_->height - 1 - y;
    const auto bits = static_cast<std::size_t>(header_->bits);
    bytes_.resize((pixels_.size() * bits + 7) / 8);
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(header_->data + row * header_->row_bytes()));
    if (!in_.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()))) return false;
    for (std::size_t x = 0; x < pixels_.size(); ++x) {
      pixels_[x] = bits < 8 ? part_of_byte(x, bits) : whole_bytes(x, bits / 8);
    }
    return true;
  }

  // The first pixel is in the highest bits.
  std::uint32_t part_of_byte(std::size_t x, std::size_t bits) const {
    const auto byte = static_cast<unsigned char>(bytes_[x * bits / 8]);
    return byte >> (8 - bits - x * bits % 8) & ((1u << bits) - 1);
  }

  std::uint32_t whole_bytes(std::size_t x, std::size_t count) const {
    std::uint32_t out = 0;
    for (std::size_t i = count; i-- > 0;) {
      out = out << 8 | static_cast<unsigned char>(bytes_[x * count + i]);
    }
    return out;
  }

  // A row of which nothing is stored; runs are of bytes.
  void fill_row(std::uint8_t* to) const {
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    const BmpHeader::Color color =
        header_->palette.empty() ? BmpHeader::Color{} : header_->palette.front();
    for (int x = 0; x < m_spec.width; ++x, to += channels) {
      std::copy_n(color.begin(), channels, to);
    }
  }

  bool write_colors(int y, std::uint8_t* to) {
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    for (const std::uint32_t number : pixels_) {
      if (number >= header_->palette.size()) {
        return fail(message({"file.beyond_palette",
                             "row {row} has the colour number {number}, which is not in the "
                             "palette"},
                            y, number));
      }
      std::copy_n(header_->palette[number].begin(), channels, to);
      to += channels;
    }
    return true;
  }

  template <typename Sample>
  void write_samples(Sample* to, std::uint64_t full) const {
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    for (const std::uint32_t pixel : pixels_) {
      for (std::size_t c = 0; c < channels; ++c) {
        const BmpMask& mask = header_->masks[c];
        const std::uint64_t most = std::max<std::uint64_t>(1, mask.most());
        const std::uint64_t value = (pixel & mask.bits) >> mask.shift();
        *to++ = static_cast<Sample>(most == full ? value : (value * full + most / 2) / most);
      }
    }
  }

  std::optional<BmpHeader> header_;
  std::ifstream in_;
  std::unique_ptr<BmpRuns> runs_;  // uses `in_`
  std::vector<char> bytes_;        // of a row
  std::vector<std::uint32_t> pixels_;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_bmp_input() {
  return std::make_unique<BmpInput>();
}

}  // namespace sfumato::files
