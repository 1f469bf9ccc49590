// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the headers of TGA, BMP and PSD files say about their samples, where OpenImageIO 2.4 does
// not look.
#include <algorithm>
#include <array>
#include <optional>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

// The fields of a BMP file's header (BITMAPINFOHEADER and its successors).
struct BmpHeader {
  static constexpr std::uint64_t bit_fields = 3;

  std::uint64_t data = 0, width = 0, height = 0, bits = 0, compression = 0;
  std::array<std::uint64_t, 4> masks{};  // red, green, blue and alpha

  explicit BmpHeader(Bytes& in) {
    constexpr std::uint64_t with_masks = 52, with_alpha = 56;
    const std::uint64_t size = in.number(14, 4);
    data = in.number(10, 4);
    width = in.number(18, 4);
    const auto rows = static_cast<std::int32_t>(in.number(22, 4));
    height = static_cast<std::uint64_t>(rows < 0 ? -std::int64_t{rows} : rows);
    bits = in.number(28, 2);
    compression = in.number(30, 4);
    // In the oldest header they follow it.
    if (compression != bit_fields && size < with_masks) return;
    for (std::uint64_t i = 0; i < (size >= with_alpha ? 4 : 3); ++i) {
      masks[i] = in.number(54 + 4 * i, 4);
    }
  }
};

// Whether any fourth byte is not 0.
bool has_fourth_samples(Bytes& in, const BmpHeader& header) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  const std::uint64_t end = std::min(in.size(), header.data + 4 * header.width * header.height);
  for (std::uint64_t at = header.data; at < end; at += piece) {
    const std::string bytes = in.text(at, std::min(piece, end - at));
    for (std::size_t i = 3; i < bytes.size(); i += 4) {
      if (bytes[i] != '\0') return true;
    }
  }
  return false;
}

// The byte that a mask names; nullopt for other masks.
std::optional<std::size_t> byte_of(std::uint64_t mask) {
  for (std::size_t byte = 0; byte < 4; ++byte) {
    if (mask == std::uint64_t{0xff} << 8 * byte) return byte;
  }
  return std::nullopt;
}

// The fields of a PSD file's header (Adobe Photoshop File Formats Specification).
struct PsdHeader {
  static constexpr std::uint64_t gray = 1, indexed = 2, cmyk = 4;

  std::uint64_t channels = 0, mode = 0;
  bool transparent = false;  // the merged picture's first extra channel is its opacity

  explicit PsdHeader(Bytes& in) {
    const bool large = in.number(4, 2) == 2;
    channels = in.number(12, 2);
    mode = in.number(24, 2);
    std::uint64_t at = 26;
    at += 4 + in.number(at, 4);  // colours
    at += 4 + in.number(at, 4);  // resources
    const int word = large ? 8 : 4;
    if (in.number(at, word) == 0) return;
    const auto layers = static_cast<std::int16_t>(in.number(at + 2 * word, 2));
    transparent = layers < 0;
  }
};

}  // namespace

bool is_premultiplied_targa(const std::filesystem::path& path) {
  constexpr std::string_view mark = "TRUEVISION-XFILE.";
  constexpr std::uint64_t footer = 26, attributes = 494, premultiplied = 4;
  Bytes in(path, false);
  if (in.size() < footer || in.text(in.size() - 18, mark.size()) != mark) return false;
  const std::uint64_t area = in.number(in.size() - footer, 4);
  return area > 0 && in.number(area + attributes, 1) == premultiplied;
}

bool has_palette_from_within(const std::filesystem::path& path) {
  Bytes in(path, false);
  const std::uint64_t kind = in.number(2, 1);
  const bool by_numbers = kind == 1 || kind == 9;  // plain or packed
  return by_numbers && in.number(1, 1) == 1 && in.number(3, 2) != 0;
}

void settle_gray_and_alpha(const std::string& kind, const std::filesystem::path& path,
                           OIIO::ImageSpec& spec) {
  bool both = kind == "targa" && spec.nchannels == 2;
  if (kind == "psd") {
    Bytes in(path, true);
    const PsdHeader header(in);
    both = header.mode == PsdHeader::gray && spec.nchannels == 2 && header.transparent;
    if (header.mode == PsdHeader::cmyk && header.channels > 4 && header.transparent) {
      throw FileError(message({"file.cmyk_and_alpha",
                               "{file}: CMYK with transparency cannot be read; convert it to RGB "
                               "first"},
                              shown(path)));
    }
    constexpr std::uint64_t transparent_index = 1047;
    if (header.mode == PsdHeader::indexed && psd_resource(in, transparent_index).empty()) {
      throw FileError(message({"file.opaque_palette",
                               "{file}: a Photoshop file with a palette can be read only if one of "
                               "its colours is transparent; convert it to RGB first"},
                              shown(path)));
    }
  }
  if (!both) return;
  spec.channelnames = {"Y", "A"};
  spec.alpha_channel = 1;
}

void settle_bmp_channels(const std::filesystem::path& path, OIIO::ImageSpec& spec) {
  Bytes in(path, false);
  const BmpHeader header(in);
  if (header.bits != 32 || spec.nchannels != 4) return;
  const bool by_masks = header.compression == BmpHeader::bit_fields;
  if (by_masks) {
    // OpenImageIO takes the bytes for blue, green, red and alpha.
    constexpr std::array<std::size_t, 4> channel_of_byte = {2, 1, 0, 3};
    constexpr std::array names = {"R", "G", "B", "A"};
    spec.channelnames = {"1", "2", "3", "4"};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::optional<std::size_t> byte = byte_of(header.masks[i]);
      if (i == 3 && header.masks[i] == 0) continue;
      if (!byte) {
        throw FileError(message({"file.masks",
                                 "{file}: the masks of this BMP file's colours are none of eight "
                                 "bits, which alone can be read; convert it to PNG first"},
                                shown(path)));
      }
      spec.channelnames[channel_of_byte[*byte]] = names[i];
    }
  }
  const bool alpha = header.masks[3] != 0 || (!by_masks && has_fourth_samples(in, header));
  if (alpha) return;
  spec.nchannels = 3;
  spec.alpha_channel = -1;
  spec.channelnames.resize(3);
}

}  // namespace sfumato::files
