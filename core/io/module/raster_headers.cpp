// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the headers of TGA files say about their samples, where OpenImageIO 2.4 does not look.

#include "io/module/embedded.hpp"

namespace sfumato::files {
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

void settle_gray_and_alpha(OIIO::ImageSpec& spec) {
  if (spec.nchannels != 2) return;
  spec.channelnames = {"Y", "A"};
  spec.alpha_channel = 1;
}

}  // namespace sfumato::files
