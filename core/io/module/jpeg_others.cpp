// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a JPEG file holds besides its picture and what is read of it: application segments of other
// programs (thermal cameras, stereo, sound), segments that come twice, and bytes behind the
// picture.
#include <algorithm>
#include <array>
#include <utility>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

// Kinds of segments that are read, made anew, named elsewhere, or only say how the old file was
// encoded.
struct SegmentKind {
  std::uint64_t marker;
  std::string_view mark;
  bool once;  // only the first one is read
};
constexpr std::array known_kinds = {
    SegmentKind{jpeg_app0, "JFIF\0"sv, false},
    SegmentKind{jpeg_app0, "JFXX\0"sv, false},
    SegmentKind{jpeg_app1, exif_mark, true},
    SegmentKind{jpeg_app1, "http://ns.adobe.com/xap/1.0/\0"sv, true},
    SegmentKind{jpeg_app1, "http://ns.adobe.com/xmp/extension/\0"sv, false},
    SegmentKind{jpeg_app2, "ICC_PROFILE\0"sv, false},
    SegmentKind{jpeg_app2, "MPF\0"sv, false},
    SegmentKind{jpeg_app2, "urn:iso:std:iso:ts:21496:-1\0"sv, false},
    SegmentKind{jpeg_app13, "Photoshop 3.0\0"sv, false},
    SegmentKind{jpeg_app13, "Adobe_CM"sv, false},
    SegmentKind{jpeg_app14, "Adobe"sv, false}};

// Photoshop's quality, without texts.
bool is_quality_alone(Bytes& in, const Segment& s) {
  constexpr std::uint64_t longest = 15;
  return s.marker == jpeg_app12 && s.size <= longest && s.begins(in, "Ducky"sv);
}

std::string name_of_segment(Bytes& in, const Segment& s) {
  constexpr std::uint64_t longest = 24;
  std::string out = "APP" + std::to_string(s.marker - jpeg_app0);
  std::string mark;
  for (const char letter : in.text(s.at, std::min(longest, s.size))) {
    if (letter < ' ' || letter > '~') break;
    mark.push_back(letter);
  }
  return mark.empty() ? out : out + " " + mark;
}

// The end of a picture, from a place before its samples on: within these, 0xff is marked by a zero.
std::uint64_t end_of_picture(Bytes& in, std::uint64_t at) {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  constexpr unsigned first_alone = 0xd0, last_alone = 0xd8, end_of_image = 0xd9, filling = 0xff;
  while (in.has(at, 2)) {
    const std::string bytes = in.text(at, std::min(block, in.behind(at)));
    std::size_t i = bytes.find('\xff');
    while (i < bytes.size() && bytes.size() - i > 1) {
      const auto marker = static_cast<unsigned char>(bytes[i + 1]);
      if (marker == end_of_image) return at + i + 2;
      const bool alone = marker <= 1 || (marker >= first_alone && marker <= last_alone);
      if (marker == filling) {
        i += 1;
      } else {
        i += 2 + (alone ? 0 : static_cast<std::size_t>(in.number(at + i + 2, 2)));
      }
      i = i < bytes.size() ? bytes.find('\xff', i) : i;
    }
    at += i == std::string::npos ? bytes.size() : i;
  }
  return in.size();
}

}  // namespace

std::string others_in_jpeg(const std::filesystem::path& path, int page) {
  Bytes in = opened_jpeg(path, page);
  std::uint64_t end = 0;
  const std::vector<Segment> head = head_of_jpeg(in, end);
  const auto is_signed = [&](const Segment& s) {
    return s.marker == jpeg_app11 && s.body(in).find("c2pa") != std::string::npos;
  };
  const bool credentials = std::any_of(head.begin(), head.end(), is_signed);
  std::array<bool, known_kinds.size()> seen{};
  constexpr std::size_t most_kinds = 40;
  std::vector<std::string> names;
  for (const Segment& s : head) {
    if (names.size() == most_kinds) {
      names.emplace_back("…");
      break;
    }
    const auto* const kind = std::find_if(
        known_kinds.begin(), known_kinds.end(),
        [&](const SegmentKind& one) { return s.marker == one.marker && s.begins(in, one.mark); });
    const bool known =
        kind != known_kinds.end() &&
        !(std::exchange(seen[static_cast<std::size_t>(kind - known_kinds.begin())], true) &&
          kind->once);
    const bool vouches = credentials && s.marker == jpeg_app11 && s.begins(in, "JP"sv);
    if (known || vouches || s.marker == jpeg_comment || is_quality_alone(in, s)) continue;
    if (std::string name = name_of_segment(in, s);
        std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return OIIO::Strutil::join(names, ", ");
}

std::uint64_t bytes_behind_jpeg(const std::filesystem::path& path) {
  Bytes in(path, true);
  std::uint64_t end = 0;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker == jpeg_app2 && s.begins(in, "MPF\0"sv)) return 0;  // it says what they are
  }
  const std::uint64_t behind = end_of_picture(in, end);
  // Some programs fill up their files.
  const std::string first = in.text(behind, std::min<std::uint64_t>(in.behind(behind), 4096));
  const bool filled =
      first.find_first_not_of(std::string_view("\0\xff\r\n", 4)) == std::string::npos;
  return filled ? 0 : in.behind(behind);
}

}  // namespace sfumato::files
