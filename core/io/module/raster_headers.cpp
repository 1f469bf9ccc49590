// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the headers of TGA and PSD files say about their samples, where OpenImageIO 2.4 does
// not look.

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

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

}  // namespace sfumato::files
