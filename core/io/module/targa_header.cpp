// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the headers of TGA files say about their samples, where OpenImageIO 2.4 does not look.
#include "io/module/embedded.hpp"
#include "io/module/targa.hpp"

namespace sfumato::files {

TargaHeader::TargaHeader(Bytes& in) {
  constexpr std::string_view mark = "TRUEVISION-XFILE.";
  constexpr std::uint64_t footer = 26, attributes_at = 494, none = 0, ignored = 1;
  in.set_big_endian(false);
  id_size = in.number(0, 1);
  map_kind = in.number(1, 1);
  kind = in.number(2, 1);
  first = in.number(3, 2);
  map_size = in.number(5, 2);
  entry_bits = in.number(7, 1);
  depth = in.number(16, 1);
  descriptor = in.number(17, 1);
  if (in.size() < footer || in.text(in.size() - 18, mark.size()) != mark) return;
  area = in.number(in.size() - footer, 4);
  developer = in.number(in.size() - footer + 4, 4);
  if (area == 0) return;
  attributes = in.number(area + attributes_at, 1);
  has_opacity = attributes != ignored && (attributes != none || attribute_bits() > 0);
}

bool is_premultiplied_targa(const std::filesystem::path& path) {
  Bytes in(path, false);
  return TargaHeader(in).is_premultiplied();
}

bool is_unusual_targa(const std::filesystem::path& path) {
  Bytes in(path, false);
  return TargaHeader(in).is_unusual();
}

void settle_targa_channels(const std::filesystem::path& path, OIIO::ImageSpec& spec) {
  Bytes in(path, false);
  if (spec.nchannels == 2) spec.channelnames = {"Y", "A"};
  if (spec.nchannels != 2 && spec.nchannels != 4) return;
  spec.alpha_channel = spec.nchannels - 1;
  if (TargaHeader(in).has_opacity) return;
  --spec.nchannels;
  spec.alpha_channel = -1;
  spec.channelnames.pop_back();
}

}  // namespace sfumato::files
