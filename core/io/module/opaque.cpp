// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opacity that is stated of all colours and is full: there is none.
#include <algorithm>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

// Whether a PNG file's palette has full opacity in all its colours.
bool has_opaque_palette(const std::filesystem::path& path) {
  constexpr std::uint64_t type_of_colors = 25, palette = 3;
  Bytes in(path, true);
  if (in.number(type_of_colors, 1) != palette) return false;
  for (const auto& [name, at, size] : head_of_png(in)) {
    if (name != "tRNS") continue;
    const std::string alphas = in.text(at, size);
    return std::all_of(alphas.begin(), alphas.end(), [](char a) { return a == '\xff'; });
  }
  return false;
}

}  // namespace

void leave_out_full_opacity(const std::filesystem::path& path, OIIO::ImageSpec& spec) {
  if (spec.nchannels != 4 || !has_opaque_palette(path)) return;
  spec.nchannels = 3;
  spec.alpha_channel = -1;
  spec.channelnames.resize(3);
}

}  // namespace sfumato::files
