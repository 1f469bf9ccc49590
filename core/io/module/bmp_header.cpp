// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Headers of BMP files: where the picture is, of what pixels it consists, and its palette.
#include <algorithm>
#include <bit>

#include "io/module/bmp.hpp"

namespace sfumato::files {
namespace {

// Sizes of headers, which tell their kinds apart.
enum BmpSize : std::uint64_t {
  bmp_file_header = 14,
  bmp_core = 12,
  bmp_info = 40,
  bmp_with_masks = 52,
  bmp_with_alpha = 56,
  bmp_longest_os2 = 64,
};

// Values of BITMAPINFOHEADER's field.
enum BmpCompression : std::uint64_t {
  bmp_rle8 = 1,
  bmp_rle4 = 2,
  bmp_bit_fields = 3,
  bmp_jpeg = 4,
  bmp_png = 5,
  bmp_alpha_bit_fields = 6,
  bmp_cmyk = 11,
  bmp_cmyk_rle4 = 13,
};

constexpr std::array<std::uint32_t, 4> masks_of_16_bits = {0x7c00, 0x3e0, 0x1f, 0},
                                       masks_of_24_bits = {0xff0000, 0xff00, 0xff, 0};

}  // namespace

int BmpMask::shift() const {
  return bits == 0 ? 0 : std::countr_zero(bits);
}

BmpHeader::BmpHeader(Bytes& in) {
  in.set_big_endian(false);
  data = in.number(10, 4);
  size = in.number(bmp_file_header, 4);
  if (size == bmp_core) {
    read_core(in);
  } else {
    read_info(in);
  }
}

bool BmpHeader::is_os2() const {
  return size <= bmp_longest_os2 && size != bmp_info && size != bmp_with_masks &&
         size != bmp_with_alpha;
}

void BmpHeader::read_core(Bytes& in) {
  width = in.number(18, 2);
  height = in.number(20, 2);
  bits = static_cast<int>(in.number(24, 2));
  if (bits == 24) {
    for (std::size_t i = 0; i < masks.size(); ++i) masks[i].bits = masks_of_24_bits[i];
  }
  read_palette(in, bmp_file_header + size, 0);
}

// OS/2's may be shorter; what is left out is 0.
void BmpHeader::read_info(Bytes& in) {
  const auto field = [&](std::uint64_t at, int bytes) -> std::uint64_t {
    return at + static_cast<std::uint64_t>(bytes) <= size ? in.number(bmp_file_header + at, bytes)
                                                          : 0;
  };
  width = field(4, 4);
  const auto rows = static_cast<std::int32_t>(field(8, 4));
  top_down = rows < 0;
  height = static_cast<std::uint64_t>(top_down ? -std::int64_t{rows} : rows);
  bits = static_cast<int>(field(14, 2));
  compression_ = field(16, 4);
  x_per_metre = field(24, 4) & 0x7fffffff;
  y_per_metre = field(28, 4) & 0x7fffffff;
  read_coding(compression_);
  read_masks(in);
  // In the plain header masks follow it.
  const std::uint64_t behind = size != bmp_info || !has_masks         ? 0
                               : compression_ == bmp_alpha_bit_fields ? 16
                                                                      : 12;
  read_palette(in, bmp_file_header + size + behind, field(32, 4));
}

void BmpHeader::read_coding(std::uint64_t number) {
  constexpr std::uint64_t os2_rle24 = 4;
  if (number == bmp_rle8) coding = Coding::bytes_rle;
  if (number == bmp_rle4) coding = Coding::halves_rle;
  if (is_os2() && number == os2_rle24) coding = Coding::pixels_rle;
  has_masks = !is_os2() && (number == bmp_bit_fields || number == bmp_alpha_bit_fields);
  known_ = number <= bmp_rle4 || has_masks || coding == Coding::pixels_rle;
}

void BmpHeader::read_masks(Bytes& in) {
  if (bits <= 8) return;
  const auto& usual = bits == 16 ? masks_of_16_bits : masks_of_24_bits;
  const bool alpha = size >= bmp_with_alpha || compression_ == bmp_alpha_bit_fields;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    masks[i].bits = usual[i];
    const bool stated = has_masks && (i < 3 || (alpha && bits != 24));
    if (stated) masks[i].bits = static_cast<std::uint32_t>(in.number(54 + 4 * i, 4));
    if (bits == 16) masks[i].bits &= 0xffff;
  }
}

// As much of it as is there: its length may be stated wrongly, and pixels begin behind it.
void BmpHeader::read_palette(Bytes& in, std::uint64_t at, std::uint64_t used) {
  const std::uint64_t entry = size == bmp_core ? 3 : 4;
  if (bits < 1 || bits > 8) {
    if (data == 0) data = at + entry * used;
    return;
  }
  const std::uint64_t most = std::uint64_t{1} << bits;
  std::uint64_t count = used == 0 ? most : std::min(used, most);
  if (data > at) count = std::min(count, (data - at) / entry);
  if (data == 0) data = at + entry * count;
  count = std::min(count, in.behind(at) / entry);
  const std::string bytes = in.text(at, entry * count);
  for (std::size_t i = 0; i + 3 <= bytes.size(); i += static_cast<std::size_t>(entry)) {
    const auto part = [&](std::size_t k) { return static_cast<std::uint8_t>(bytes[i + k]); };
    palette.push_back({part(2), part(1), part(0)});
  }
}

bool BmpHeader::is_gray() const {
  return !palette.empty() && std::all_of(palette.begin(), palette.end(), [](const Color& c) {
    return c[0] == c[1] && c[1] == c[2];
  });
}

std::optional<Message> BmpHeader::variant() const {
  const bool windows = !is_os2();
  if (windows && compression_ == bmp_jpeg) {
    return message({"bmp.holds_jpeg", "it holds a JPEG picture instead of pixels"});
  }
  if (windows && compression_ == bmp_png) {
    return message({"bmp.holds_png", "it holds a PNG picture instead of pixels"});
  }
  if (windows && compression_ >= bmp_cmyk && compression_ <= bmp_cmyk_rle4) {
    return message({"bmp.cmyk", "its colours are those of printing inks"});
  }
  if (!known_)
    return message({"file.compression", "its compression has the number {number}"}, compression_);
  constexpr std::array known_bits = {1, 2, 4, 8, 16, 24, 32};
  if (std::find(known_bits.begin(), known_bits.end(), bits) == known_bits.end()) {
    return message({"file.bits_of_pixel", "its pixels have {bits} bits"}, bits);
  }
  return {};
}

std::optional<Message> BmpHeader::fault() const {
  constexpr std::uint64_t longest = std::uint64_t{1} << 30;
  if (size < bmp_core || size > 4096 || width < 1 || height < 1 || width > longest ||
      height > longest) {
    return message({"file.no_size", "its header states no size"});
  }
  const bool fits = coding == Coding::rows || (coding == Coding::bytes_rle && bits == 8) ||
                    (coding == Coding::halves_rle && bits == 4) ||
                    (coding == Coding::pixels_rle && bits == 24);
  const bool sound =
      std::all_of(masks.begin(), masks.end(), [](const BmpMask& mask) { return mask.is_sound(); });
  if (!fits || !sound || (coding != Coding::rows && top_down) || (bits <= 8 && palette.empty()) ||
      (has_masks && bits != 16 && bits != 32)) {
    return message({"file.header_contradicts", "its header contradicts itself"});
  }
  return {};
}

}  // namespace sfumato::files
