// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// DDS files whose pixels are not compressed (Microsoft, DDS_HEADER and DDS_PIXELFORMAT):
// OpenImageIO 2.4 knows no palettes, never ends where a mask is empty, and keeps 8 bits of more.
#include <algorithm>
#include <array>
#include <bit>

#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

// Bits that say what pixels are.
constexpr std::uint64_t dds_alpha_pixels = 0x1, dds_alpha = 0x2, dds_four_letters = 0x4,
                        dds_palette = 0x20, dds_rgb = 0x40, dds_gray = 0x20000;
constexpr std::uint64_t dds_flags_at = 80, dds_header_bytes = 128, dds_palette_bytes = 1024;

// The bits of one channel in a pixel.
struct DdsMask {
  std::uint32_t bits = 0;

  int shift() const { return std::countr_zero(bits); }
  std::uint32_t largest() const { return bits == 0 ? 0 : bits >> shift(); }
  std::uint32_t value(std::uint32_t pixel, std::uint32_t full) const {
    if (bits == 0) return 0;
    const std::uint64_t held = (pixel & bits) >> shift(), most = largest();
    return static_cast<std::uint32_t>((held * full + most / 2) / most);
  }
};

struct DdsHeader {
  std::uint64_t width, height, depth, levels, flags, pixel_bits, faces;
  std::array<DdsMask, 4> masks;

  explicit DdsHeader(Bytes& in) {
    constexpr std::uint64_t cube = 0x200, all_faces = 0xfc00, volume = 0x200000;
    in.set_big_endian(false);
    const std::uint64_t kind = in.number(112, 4);
    height = in.number(12, 4);
    width = in.number(16, 4);
    depth = (kind & volume) != 0 ? in.number(24, 4) : 1;
    levels = std::clamp<std::uint64_t>(in.number(28, 4), 1, 32);
    flags = in.number(dds_flags_at, 4);
    pixel_bits = in.number(88, 4);
    for (std::size_t i = 0; i < masks.size(); ++i) {
      masks[i].bits = static_cast<std::uint32_t>(in.number(92 + 4 * i, 4));
    }
    faces = (kind & cube) != 0
                ? static_cast<std::uint64_t>(std::max(1, std::popcount(kind & all_faces)))
                : 1;
  }

  bool has_palette() const { return (flags & dds_palette) != 0; }
  std::uint64_t row_bytes() const { return width * (pixel_bits / 8); }
  std::uint64_t data() const { return dds_header_bytes + (has_palette() ? dds_palette_bytes : 0); }
  // Of a face with its smaller copies.
  std::uint64_t face_bytes() const {
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < levels; ++i) {
      const std::uint64_t across = std::max<std::uint64_t>(1, width >> i);
      bytes += across * std::max<std::uint64_t>(1, height >> i) * (pixel_bits / 8);
    }
    return bytes;
  }
};

class DdsInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "dds"; }
  bool close() override {
    in_.reset();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec, const ImageSpec&) override {
    return open(name, spec);
  }
  bool open(const std::string& name, ImageSpec& spec) override {
    constexpr std::uint64_t longest = 1 << 30;
    in_ = std::make_unique<Bytes>(name, false);
    header_.emplace(*in_);
    const DdsHeader& h = *header_;
    if (h.width == 0 || h.height == 0 || h.width > longest || h.height * h.faces > longest ||
        h.height > longest) {
      return fail(message({"netpbm.no_size", "the header has no size"}));
    }
    if (!choose_masks()) return false;
    const auto channels = static_cast<int>(masks_.size());
    m_spec = ImageSpec(static_cast<int>(h.width), static_cast<int>(h.height * h.faces),
                       h.has_palette() ? palette_channels() : channels,
                       is_deep() ? TypeDesc::UINT16 : TypeDesc::UINT8);
    m_spec.depth = static_cast<int>(std::clamp<std::uint64_t>(h.depth, 1, longest));
    if (m_spec.nchannels == 2) m_spec.channelnames = {"Y", "A"};
    if (m_spec.nchannels % 2 == 0) m_spec.alpha_channel = m_spec.nchannels - 1;
    const std::uint64_t last = h.data() + (h.faces - 1) * h.face_bytes();
    if (in_->behind(last) / h.row_bytes() < h.height) m_spec.attribute("sfumato:short", 1);
    spec = m_spec;
    return true;
  }

  // The faces of a cube lie below each other.
  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (subimage != 0 || miplevel != 0) return false;
    const DdsHeader& h = *header_;
    const auto row = static_cast<std::uint64_t>(y);
    const std::uint64_t at =
        h.data() + row / h.height * h.face_bytes() + row % h.height * h.row_bytes();
    const auto step = static_cast<std::size_t>(h.pixel_bits / 8);
    const std::string held = in_->text(at, h.row_bytes());
    if (held.empty()) return fail(message({"netpbm.row_missing", "row {row} is missing"}, y));
    auto* to = static_cast<char*>(data);
    for (std::size_t x = 0; x < held.size(); x += step, to += m_spec.pixel_bytes()) {
      std::uint32_t pixel = 0;
      for (std::size_t k = step; k-- > 0;) {
        pixel = pixel << 8 | static_cast<unsigned char>(held[x + k]);
      }
      store(pixel, to);
    }
    return true;
  }

 private:
  // False for pixels of other kinds.
  bool choose_masks() {
    const DdsHeader& h = *header_;
    const bool whole =
        h.pixel_bits == 8 || h.pixel_bits == 16 || h.pixel_bits == 24 || h.pixel_bits == 32;
    if (!whole || (h.has_palette() && h.pixel_bits != 8)) {
      return fail_as_variant(
          message({"file.bits_of_pixel", "its pixels have {bits} bits"}, h.pixel_bits));
    }
    masks_.clear();
    if (h.has_palette()) {
      palette_ = in_->text(dds_header_bytes, dds_palette_bytes);
      palette_.resize(dds_palette_bytes);
      return true;
    }
    const DdsMask& alpha = h.masks[3];
    if ((h.flags & dds_rgb) != 0) masks_.assign(h.masks.begin(), h.masks.begin() + 3);
    if ((h.flags & dds_gray) != 0 && masks_.empty()) masks_.push_back(h.masks[0]);
    const bool seen = std::any_of(masks_.begin(), masks_.end(),
                                  [](const DdsMask& mask) { return mask.bits != 0; });
    if (seen && (h.flags & dds_alpha_pixels) != 0 && alpha.bits != 0) masks_.push_back(alpha);
    if (masks_.empty() && (h.flags & dds_alpha) != 0 && alpha.bits != 0) return take_only(alpha);
    if (seen) return true;
    if ((h.flags & (dds_rgb | dds_gray | dds_alpha)) != 0) {
      return fail(message({"dds.no_masks", "nothing says which bits are colours"}));
    }
    return fail_as_variant(message({"dds.pixels", "its pixels have the flags {flags}"}, h.flags));
  }
  bool take_only(const DdsMask& mask) {
    masks_.assign(1, mask);
    return true;
  }

  bool is_deep() const {
    return std::any_of(masks_.begin(), masks_.end(),
                       [](const DdsMask& mask) { return mask.largest() > 255; });
  }

  // Fourth bytes that are all the same are none of opacity.
  int palette_channels() const {
    for (std::size_t i = 7; i < palette_.size(); i += 4) {
      if (palette_[i] != palette_[3]) return 4;
    }
    return 3;
  }

  void store(std::uint32_t pixel, char* to) const {
    if (header_->has_palette()) {
      std::copy_n(palette_.begin() + static_cast<std::ptrdiff_t>(4 * pixel), m_spec.nchannels, to);
      return;
    }
    if (m_spec.format == TypeDesc::UINT8) {
      for (const DdsMask& mask : masks_) *to++ = static_cast<char>(mask.value(pixel, 255));
      return;
    }
    for (const DdsMask& mask : masks_) {
      const auto value = static_cast<std::uint16_t>(mask.value(pixel, 65535));
      std::memcpy(to, &value, sizeof value);
      to += sizeof value;
    }
  }

  std::unique_ptr<Bytes> in_;
  std::optional<DdsHeader> header_;
  std::vector<DdsMask> masks_;
  std::string palette_;  // red, green, blue, and another byte
};

}  // namespace

bool is_plain_dds(const std::filesystem::path& path) {
  Bytes in(path, false);
  return in.has(0, dds_header_bytes) && (in.number(dds_flags_at, 4) & dds_four_letters) == 0;
}

std::vector<Message> notes_on_dds(const std::filesystem::path& path) {
  Bytes in(path, false);
  const DdsHeader header(in);
  constexpr std::uint64_t kinds = dds_alpha | dds_four_letters | dds_palette | dds_rgb | dds_gray;
  std::vector<Message> notes;
  if (header.faces > 1) {
    notes.push_back(message({"dds.faces",
                             "{file}: the {count} faces of its cube are read as one picture, in "
                             "which they lie side by side or below each other"},
                            shown(path), header.faces));
  }
  if (header.levels > 1) notes.push_back(without_smaller_copies(path));
  if ((header.flags & kinds) == dds_alpha) {
    notes.push_back(
        message({"dds.opacity_alone",
                 "{file}: it holds nothing but opacity, which is read as a gray picture"},
                shown(path)));
  }
  return notes;
}

std::unique_ptr<OIIO::ImageInput> make_dds_input() {
  return std::make_unique<DdsInput>();
}

}  // namespace sfumato::files
