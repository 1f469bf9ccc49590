// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Comments in a JPEG 2000 codestream (ISO/IEC 15444-1, A.9.2), of which OpenJPEG says nothing.
#include <algorithm>
#include <array>
#include <string_view>

#include "io/module/embedded.hpp"
#include "io/module/jpeg2000.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using namespace std::string_view_literals;

// Marks that encoders leave, which say nothing about the picture.
constexpr std::array encoder_marks = {"Created by OpenJPEG"sv, "Created by Grok"sv,
                                      "Creator: JasPer"sv, "Kakadu-v"sv, "Kdu-Layer-Info:"sv};

struct Comments {
  std::string text;
  int binary = 0;

  void add(std::uint64_t registration, std::string body) {
    constexpr std::uint64_t latin = 1;
    while (!body.empty() && body.back() == '\0') body.pop_back();
    const bool marked =
        std::any_of(encoder_marks.begin(), encoder_marks.end(),
                    [&](std::string_view mark) { return body.rfind(mark, 0) == 0; });
    if (body.empty() || marked) return;
    if (registration != latin || body.find('\0') != std::string::npos) {
      ++binary;
    } else {
      text += (text.empty() ? "" : "\n") + utf8_of_latin_9(body);
    }
  }
};

// The marker segments of the main header and those of tile parts, without samples.
Comments comments_in(Bytes& in, std::uint64_t at, std::uint64_t end) {
  constexpr std::uint64_t tile_part = 0xff90, data = 0xff93, comment = 0xff64, last = 0xffd9,
                          least_marker = 0xff30;
  constexpr int most_segments = 200'000;
  Comments out;
  std::uint64_t next_part = 0;
  at += 2;  // behind the start of the codestream
  for (int i = 0; i < most_segments && at + 4 <= end; ++i) {
    const std::uint64_t marker = in.number(at, 2), size = in.number(at + 2, 2);
    if (marker == data && next_part > at) {
      at = next_part;
      continue;
    }
    if (marker < least_marker || marker == data || marker == last || size < 2) break;
    if (marker == tile_part) next_part = at + in.number(at + 6, 4);
    if (marker == comment && size > 4) out.add(in.number(at + 4, 2), in.text(at + 6, size - 4));
    at += 2 + size;
  }
  return out;
}

}  // namespace

void read_jpeg2000_comments(const std::filesystem::path& path, ImageSpec& spec) {
  const Jp2Head head = read_jp2_head(path);
  Bytes in(path, true);
  const Comments found = comments_in(in, head.codestream, head.codestream + head.codestream_size);
  if (found.binary > 0) spec.attribute("sfumato:binary_comments", found.binary);
  if (found.text.empty()) return;
  note_comment(found.text, std::string(spec.get_string_attribute("ImageDescription")), spec);
}

}  // namespace sfumato::files
