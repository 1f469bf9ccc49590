// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads EXIF, IPTC, XMP and profiles from a JPEG file's segments, and puts them there.
#include <algorithm>
#include <map>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view xmp_mark = "http://ns.adobe.com/xap/1.0/\0"sv;
constexpr std::string_view extension_mark = "http://ns.adobe.com/xmp/extension/\0"sv;
constexpr std::string_view photoshop_mark = "Photoshop 3.0\0"sv;
constexpr std::string_view profile_mark = "ICC_PROFILE\0"sv;
constexpr std::size_t guid_bytes = 32, numbers_bytes = 8;  // of an extension's segment
constexpr std::size_t most_in_segment = 65533;
constexpr int most_segments = 10000;

std::string jpeg_segment(std::uint64_t marker, std::string_view mark, std::string_view body) {
  if (body.empty()) return {};
  std::string out;
  append_big_endian(out, marker, 2);
  append_big_endian(out, mark.size() + body.size() + 2, 2);
  return out.append(mark).append(body);
}

// The extension whose segments name this GUID; empty if a piece is missing.
std::string extension_in(Bytes& in, const std::vector<Segment>& head, const std::string& guid) {
  constexpr std::size_t before = guid_bytes + numbers_bytes;
  std::map<std::uint64_t, std::string> pieces;
  std::uint64_t whole = 0;
  for (const Segment& s : head) {
    if (s.marker != jpeg_app1 || !s.begins(in, extension_mark)) continue;
    const std::string body = s.body(in).substr(extension_mark.size());
    if (body.size() < before || body.substr(0, guid_bytes) != guid) continue;
    whole = big_endian_at(body, guid_bytes, 4);
    pieces[big_endian_at(body, guid_bytes + 4, 4)] = body.substr(before);
  }
  std::string out;
  for (const auto& [at, piece] : pieces) {
    if (at != out.size()) return {};
    out += piece;
  }
  return out.size() == whole ? out : std::string();
}

// Whether there is an extension that the packet does not name.
bool has_other_extension(Bytes& in, const std::vector<Segment>& head, const std::string& guid) {
  return std::any_of(head.begin(), head.end(), [&](const Segment& s) {
    return s.marker == jpeg_app1 && s.begins(in, extension_mark) &&
           s.body(in).substr(extension_mark.size(), guid_bytes) != guid;
  });
}

// The packet and its extension in as many segments as they need.
std::string xmp_segments(const std::string& xmp) {
  constexpr std::size_t most_in_piece = 65000;
  if (xmp.size() + xmp_mark.size() <= most_in_segment)
    return jpeg_segment(jpeg_app1, xmp_mark, xmp);
  const DividedXmp divided = divided_xmp(xmp, most_in_segment - xmp_mark.size());
  std::string out = jpeg_segment(jpeg_app1, xmp_mark, divided.packet);
  for (std::size_t at = 0; at < divided.extension.size(); at += most_in_piece) {
    std::string body = divided.guid;
    append_big_endian(body, divided.extension.size(), 4);
    append_big_endian(body, at, 4);
    out +=
        jpeg_segment(jpeg_app1, extension_mark, body + divided.extension.substr(at, most_in_piece));
  }
  return out;
}

// Removes the longest entries of EXIF until it fits; its words become comments of the file. False
// if others were removed.
bool shorten(Exif& exif, std::string& comment) {
  constexpr std::uint16_t image_description = 0x010e, user_comment = 0x9286;
  bool whole = true;
  while (exif_block(exif).size() + exif_mark.size() > most_in_segment) {
    TiffEntries* of = nullptr;
    std::uint16_t longest = 0;
    for (TiffEntries* entries : {&exif.image, &exif.photo, &exif.gps, &exif.interoperability}) {
      for (const auto& [tag, entry] : *entries) {
        if (of != nullptr && entry.value.size() <= of->at(longest).value.size()) continue;
        of = entries;
        longest = tag;
      }
    }
    std::string words;
    if (of == &exif.photo && longest == user_comment) words = comment_of(exif);
    if (of == &exif.image && longest == image_description) words = text_in(of->at(longest));
    if (!words.empty()) comment += (comment.empty() ? "" : "\n") + words;
    whole = whole && !words.empty();
    of->erase(longest);
  }
  return whole;
}

}  // namespace

std::vector<Segment> head_of_jpeg(Bytes& in, std::uint64_t& end) {
  constexpr std::uint64_t first_with_size = 0xffc0, scan = 0xffda, filling = 0xffff;
  std::vector<Segment> out;
  std::uint64_t at = end = 2;
  bool leads = true;
  for (int i = 0; i < most_segments && in.has(at, 4); ++i) {
    const std::uint64_t marker = in.number(at, 2), size = in.number(at + 2, 2);
    if (marker == filling) {
      ++at;
      continue;
    }
    if (marker < first_with_size || marker == scan || size < 2 || !in.has(at + 2, size)) break;
    const bool ours = marker == jpeg_comment || (marker >= jpeg_app0 && marker < jpeg_app0 + 16);
    if (ours) out.push_back({marker, at + 4, size - 2});
    at += 2 + size;
    leads = leads && ours;
    if (leads) end = at;
  }
  return out;
}

void read_jpeg_comments(const std::filesystem::path& path, int page, OIIO::ImageSpec& spec) {
  constexpr std::uint16_t image_description = 0x010e;
  constexpr std::size_t longest_character = 4;
  const auto text_of = [](std::string text) {
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return utf8_of(text);
  };
  Bytes in = opened_jpeg(path, page);
  std::uint64_t end = 0;
  std::string all, described;
  bool goes_on = false;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker == jpeg_app1 && described.empty() && s.begins(in, exif_mark)) {
      const Exif exif = exif_in_block(s.body(in));
      const auto found = exif.image.find(image_description);
      if (found != exif.image.end()) described = text_of(found->second.value);
    }
    if (s.marker != jpeg_comment) continue;
    const std::string text = text_of(s.body(in));
    if (text.empty()) continue;
    // A full segment ends within the text.
    all += (all.empty() || goes_on ? "" : "\n") + text;
    goes_on = s.size + longest_character > most_in_segment;
  }
  if (!all.empty()) note_comment(all, described, spec);
}

void read_jpeg_metadata(Bytes& in, Metadata& out) {
  std::uint64_t end = 0;
  const std::vector<Segment> head = head_of_jpeg(in, end);
  std::string resources;
  for (const Segment& s : head) {
    if (s.marker == jpeg_app1 && out.exif.empty() && s.begins(in, exif_mark)) {
      const bool damaged = out.exif.is_damaged;
      out.exif = exif_in_block(s.body(in));
      out.exif.is_damaged = out.exif.is_damaged || damaged;
    } else if (s.marker == jpeg_app1 && out.xmp.empty() && s.begins(in, xmp_mark)) {
      out.xmp = s.body(in).substr(xmp_mark.size());
    } else if (s.marker == jpeg_app13 && s.begins(in, photoshop_mark)) {
      resources += s.body(in).substr(photoshop_mark.size());  // long ones are in several segments
    }
  }
  out.iptc = iptc_of_resources(resources);
  out.resources = carried_resources(resources, out.resources_are_cut);
  const std::string guid = guid_of_extension(out.xmp);
  out.xmp_is_cut = has_other_extension(in, head, guid);
  if (guid.empty()) return;
  const std::optional<std::string> all = joined_xmp(out.xmp, extension_in(in, head, guid));
  if (!all) out.xmp_is_cut = true;
  if (all) out.xmp = *all;
}

std::vector<unsigned char> profile_in_jpeg(Bytes& in) {
  std::uint64_t end = 0;
  std::map<std::uint64_t, std::string> pieces;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker != jpeg_app2 || !s.begins(in, profile_mark)) continue;
    const std::string body = s.body(in).substr(profile_mark.size());
    pieces.emplace(big_endian_at(body, 0, 1), body.substr(std::min<std::size_t>(2, body.size())));
  }
  // Some programs count wrongly; whether the profile is whole, its own length says.
  std::string out;
  for (const auto& [number, piece] : pieces) out += piece;
  return {out.begin(), out.end()};
}

std::vector<Message> fit_jpeg(Metadata& metadata, std::string& comment) {
  std::vector<Message> lost;
  if (metadata.xmp.size() + xmp_mark.size() > most_in_segment &&
      divided_xmp(metadata.xmp, most_in_segment - xmp_mark.size()).packet.empty()) {
    metadata.xmp.clear();
    lost.push_back(name_of(Property::xmp));
  }
  if (!shorten(metadata.exif, comment)) lost.push_back(name_of(Property::exif));
  return lost;
}

std::string profile_segments(const std::vector<unsigned char>& profile) {
  const std::size_t most = most_in_segment - profile_mark.size() - 2;
  const std::size_t count = (profile.size() + most - 1) / most;
  const std::string_view bytes(reinterpret_cast<const char*>(profile.data()), profile.size());
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    std::string body;
    append_big_endian(body, i + 1, 1);
    append_big_endian(body, count, 1);
    out += jpeg_segment(jpeg_app2, profile_mark, body.append(bytes.substr(i * most, most)));
  }
  return out;
}

// In as many segments as it needs.
std::string comment_segments(std::string comment) {
  std::string out;
  while (!comment.empty()) {
    const std::size_t end = end_of_characters(comment, most_in_segment);
    out += jpeg_segment(jpeg_comment, "", comment.substr(0, end));
    comment.erase(0, end);
  }
  return out;
}

// Readers join what several segments hold, IPTC being in the first.
std::string photoshop_segments(std::string_view resources) {
  constexpr std::size_t most = most_in_segment - photoshop_mark.size();
  std::string out;
  for (std::size_t at = 0; at < resources.size(); at += most) {
    out += jpeg_segment(jpeg_app13, photoshop_mark, resources.substr(at, most));
  }
  return out;
}

bool put_into_jpeg(int descriptor, const std::filesystem::path& path, const Metadata& metadata,
                   const std::vector<unsigned char>& profile, const std::string& comment) {
  Bytes in(path, true);
  std::uint64_t end = 0;
  std::string first, rest;  // JFIF's own segments stay in front
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.at >= end) break;
    const bool is_metadata =
        s.marker == jpeg_app1 && (s.begins(in, exif_mark) || s.begins(in, xmp_mark));
    const bool replaced = is_metadata || (s.marker == jpeg_app13 && s.begins(in, photoshop_mark)) ||
                          (s.marker == jpeg_app2 && s.begins(in, profile_mark));
    if (!replaced) (s.marker == jpeg_app0 ? first : rest) += in.text(s.at - 4, s.size + 4);
  }
  const std::string resources = resources_of(metadata.iptc) + metadata.resources;
  const std::string head = "\xff\xd8" + first +
                           jpeg_segment(jpeg_app1, exif_mark, exif_block(metadata.exif)) +
                           xmp_segments(metadata.xmp) + photoshop_segments(resources) +
                           profile_segments(profile) + comment_segments(comment) + rest;
  return replace_head(descriptor, in, end, head);
}

}  // namespace sfumato::files
