// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sections of a PSD or PSB file, and what they say of the merged picture.
#include "io/module/psd.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace sfumato::files {
namespace {

constexpr std::uint64_t psd_header_size = 26;

// Blocks whose sizes have eight bytes in PSB files.
bool has_long_size(std::string_view key) {
  constexpr std::array<std::string_view, 13> keys = {"LMsk", "Lr16", "Lr32", "Layr", "Mt16",
                                                     "Mt32", "Mtrn", "Alph", "FMsk", "lnk2",
                                                     "FEid", "FXid", "PxSD"};
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

PsdHeader::PsdHeader(Bytes& in) {
  in.set_big_endian(true);
  const auto field = [&](std::uint64_t at) { return static_cast<int>(in.number(at, 2)); };
  is_cut = !in.has(0, psd_header_size);
  version = field(4);
  large = version == 2;
  channels = field(12);
  height = in.number(14, 4);
  width = in.number(18, 4);
  depth = field(22);
  mode = field(24);
  palette_size = in.number(psd_header_size, 4);
  palette = psd_header_size + 4;
  resources_size = in.number(palette + palette_size, 4);
  resources = palette + palette_size + 4;
  const int word = large ? 8 : 4;
  const std::uint64_t at = resources + resources_size;
  const std::uint64_t layers_at = at + static_cast<std::uint64_t>(word);
  const std::uint64_t layers_size = std::min(in.number(at, word), in.behind(layers_at));
  look_into_layers(in, layers_at, layers_at + layers_size);
  compression = field(layers_at + layers_size);
  data = layers_at + layers_size + 2;
}

// The number of layers is negative if the merged picture has opacity. Files of 16 and 32 bits have
// their layers in blocks behind an empty list.
void PsdHeader::look_into_layers(Bytes& in, std::uint64_t at, std::uint64_t end) {
  const int word = large ? 8 : 4;
  if (at + static_cast<std::uint64_t>(word) > end) return;
  const std::uint64_t size = in.number(at, word);
  at += static_cast<std::uint64_t>(word);
  if (size > end - at) return;
  if (size >= 2) {
    count_layers(in, at);
    records = at + 2;
  }
  at += size;
  if (at + 4 > end) return;
  const std::uint64_t mask = in.number(at, 4);
  if (mask > end - at - 4) return;
  look_into_blocks(in, at + 4 + mask, end);
}

void PsdHeader::look_into_blocks(Bytes& in, std::uint64_t at, std::uint64_t end) {
  constexpr int most = 10000;
  for (int i = 0; i < most && at + 12 <= end; ++i) {
    const std::string name = in.text(at, 8);
    const std::string_view mark = std::string_view(name).substr(0, 4);
    if (mark != "8BIM" && mark != "8B64") return;
    const std::string_view key = std::string_view(name).substr(4);
    const int word = large && has_long_size(key) ? 8 : 4;
    const std::uint64_t size = in.number(at + 8, word);
    at += 8 + static_cast<std::uint64_t>(word);
    if (at > end || size > end - at) return;
    if ((key == "Lr16" || key == "Lr32" || key == "Layr") && size >= 2) count_layers(in, at);
    if (key == "Mtrn" || key == "Mt16" || key == "Mt32") transparent = true;
    at += (size + 3) / 4 * 4;
  }
}

void PsdHeader::count_layers(Bytes& in, std::uint64_t at) {
  const int count = static_cast<std::int16_t>(in.number(at, 2));
  layers = std::abs(count);
  transparent = transparent || count < 0;
}

int PsdHeader::color_channels() const {
  return mode == rgb || mode == lab ? 3
         : mode == cmyk             ? 4
         : mode == multichannel     ? (channels >= 3 ? 3 : 1)
                                    : 1;
}

std::optional<Message> PsdHeader::variant() const {
  if (is_cut) return {};
  if (version != 1 && version != 2) {
    return message({"psd.version", "its version has the number {number}"}, version);
  }
  constexpr std::array modes = {bitmap, gray, indexed, rgb, cmyk, multichannel, duotone, lab};
  if (std::find(modes.begin(), modes.end(), mode) == modes.end()) {
    return message({"psd.mode", "its colour mode has the number {number}"}, mode);
  }
  constexpr std::array depths = {1, 8, 16, 32};
  if (std::find(depths.begin(), depths.end(), depth) == depths.end()) {
    return message({"file.bits_of_sample", "its samples have {bits} bits"}, depth);
  }
  if (compression != raw && compression != runs) {
    return message({"file.compression", "its compression has the number {number}"}, compression);
  }
  return {};
}

std::optional<Message> PsdHeader::fault() const {
  constexpr std::uint64_t longest = std::uint64_t{1} << 30;
  if (is_cut) return message({"file.header_cut", "its header is cut short"});
  if (width < 1 || height < 1 || width > longest || height > longest) {
    return message({"file.no_size", "its header states no size"});
  }
  constexpr std::uint64_t three_of_256 = 768;
  const bool single_bits = depth == 1;
  if (channels < color_channels() || single_bits != (mode == bitmap) ||
      (mode == indexed && (depth != 8 || palette_size < three_of_256))) {
    return message({"file.header_contradicts", "its header contradicts itself"});
  }
  return {};
}

}  // namespace sfumato::files
