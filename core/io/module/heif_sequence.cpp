// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Image sequences in HEIF and AVIF files (ISO/IEC 23008-12, 7): libheif 1.15 knows none.
#include <algorithm>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

// The first box of this name within another; empty if there is none.
Box box_within(Bytes& in, const Box& outer, std::string_view name) {
  for (const Box& b : boxes_in(in, outer.at, outer.at + outer.size)) {
    if (b.name == name) return b;
  }
  return {};
}

}  // namespace

int frames_of_heif(const std::filesystem::path& path) {
  Bytes in(path, true);
  const Box movie = box_within(in, {{}, 0, in.size()}, "moov");
  for (const Box& track : boxes_in(in, movie.at, movie.at + movie.size)) {
    if (track.name != "trak") continue;
    const Box media = box_within(in, track, "mdia");
    const Box handler = box_within(in, media, "hdlr");
    // Version and flags, a reserved number, the kind: "auxv" would be the opacity.
    if (handler.size < 12 || in.text(handler.at + 8, 4) != "pict") continue;
    const Box sizes = box_within(in, box_within(in, box_within(in, media, "minf"), "stbl"), "stsz");
    if (sizes.size < 12) continue;
    return static_cast<int>(std::clamp<std::uint64_t>(in.number(sizes.at + 8, 4), 1, most_pages));
  }
  return 1;
}

}  // namespace sfumato::files
