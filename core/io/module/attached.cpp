// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What boxes and trailers hold besides pictures: what HEIF says of a picture's light and shape, and
// movies and gain maps that cameras put into a picture's file: motion photos in JPEG (Google's XMP,
// Samsung's trailer) and HEIF, and gain maps in HEIF and AVIF (Apple's, and ISO 21496-1).
#include <algorithm>

#include "io/module/embedded.hpp"

namespace sfumato::files {

Box full_box_within(Bytes& in, const Box& outer, std::string_view name, std::uint64_t& version) {
  constexpr std::uint64_t flags = 4;
  for (Box b : boxes_in(in, outer.at, outer.at + outer.size)) {
    if (b.name != name || b.size < flags) continue;
    version = in.number(b.at, 1);
    b.at += flags;
    b.size -= flags;
    return b;
  }
  return {};
}

Box inner_box(Bytes& in, const Box& outer, std::string_view name) {
  for (const Box& b : boxes_in(in, outer.at, outer.at + outer.size)) {
    if (b.name == name) return b;
  }
  return {};
}

namespace {

using namespace std::string_view_literals;

// Whether bytes are in a file, from an offset on.
bool holds(Bytes& in, std::uint64_t from, std::string_view bytes) {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  for (std::uint64_t at = from; at < in.size(); at += block) {
    const std::string piece = in.text(at, std::min(block + bytes.size() - 1, in.behind(at)));
    if (piece.find(bytes) != std::string::npos) return true;
  }
  return false;
}

bool xmp_names_movie(Bytes& in, const std::vector<Segment>& head) {
  return std::any_of(head.begin(), head.end(), [&](const Segment& s) {
    if (s.marker != jpeg_app1 || s.begins(in, exif_mark)) return false;
    const std::string xmp = s.body(in);
    return xmp.find("MotionPhoto") != std::string::npos ||
           xmp.find("MicroVideo") != std::string::npos;
  });
}

// Samsung's trailer ends with this mark; what is in it has names.
bool trailer_names_movie(Bytes& in, std::uint64_t end) {
  constexpr std::string_view mark = "SEFT"sv;
  return in.size() > end && in.text(in.size() - mark.size(), mark.size()) == mark &&
         holds(in, end, "MotionPhoto_Data"sv);
}

bool has_apples_map(Bytes& in, const Box& meta) {
  constexpr std::string_view kind = "urn:com:apple:photo:2020:aux:hdrgainmap"sv;
  constexpr std::uint64_t flags = 4;
  const Box list = inner_box(in, inner_box(in, meta, "iprp"), "ipco");
  const std::vector<Box> properties = boxes_in(in, list.at, list.at + list.size);
  return std::any_of(properties.begin(), properties.end(), [&](const Box& one) {
    return one.name == "auxC" && one.size >= flags + kind.size() &&
           in.text(one.at + flags, kind.size()) == kind;
  });
}

// The items that are computed from a picture and a gain map.
std::vector<std::uint32_t> tone_maps_in(Bytes& in, const Box& meta) {
  std::vector<std::uint32_t> out;
  std::uint64_t version = 0;
  const Box items = full_box_within(in, meta, "iinf", version);
  const std::uint64_t count_bytes = version == 0 ? 2 : 4;
  if (items.size < count_bytes) return out;
  for (const Box& item : boxes_in(in, items.at + count_bytes, items.at + items.size)) {
    const std::uint64_t kind = in.number(item.at, 1);
    if (item.name != "infe" || kind < 2) continue;
    const int id_bytes = kind == 2 ? 2 : 4;
    const std::uint64_t id_at = item.at + 4, type_at = id_at + static_cast<unsigned>(id_bytes) + 2;
    if (type_at + 4 > item.at + item.size || in.text(type_at, 4) != "tmap") continue;
    out.push_back(static_cast<std::uint32_t>(in.number(id_at, id_bytes)));
  }
  return out;
}

// The gain maps of these items: the second of the pictures that each is computed from.
std::vector<std::uint32_t> maps_of(Bytes& in, const Box& meta,
                                   const std::vector<std::uint32_t>& items) {
  std::vector<std::uint32_t> out;
  std::uint64_t version = 0;
  const Box references = full_box_within(in, meta, "iref", version);
  const int word = version == 0 ? 2 : 4;
  const auto step = static_cast<std::uint64_t>(word);
  for (const Box& one : boxes_in(in, references.at, references.at + references.size)) {
    const std::uint64_t second = one.at + step + 2 + step;
    if (one.name != "dimg" || second + step > one.at + one.size) continue;
    const auto from = static_cast<std::uint32_t>(in.number(one.at, word));
    if (std::find(items.begin(), items.end(), from) == items.end()) continue;
    if (in.number(one.at + step, 2) < 2) continue;
    out.push_back(static_cast<std::uint32_t>(in.number(second, word)));
  }
  return out;
}

// PNG's mDCV has red, green and blue, HEIF's mdcv green, blue and red; the rest is the same.
std::string in_order_of_png(const std::string& box) {
  return box.substr(8, 4) + box.substr(0, 8) + box.substr(12);
}

}  // namespace

void read_heif_properties(const std::filesystem::path& path, OIIO::ImageSpec& spec) {
  Bytes in(path, true);
  std::uint64_t version = 0;
  const Box meta = full_box_within(in, {{}, 0, in.size()}, "meta", version);
  const Box list = inner_box(in, inner_box(in, meta, "iprp"), "ipco");
  // Of the properties of a kind, the first is the main picture's.
  const auto body = [&](const char* name, std::uint64_t size) {
    const Box box = inner_box(in, list, name);
    return box.size == size ? in.text(box.at, size) : std::string();
  };
  if (const std::string mastering = body("mdcv", 24); !mastering.empty()) {
    put_bytes(spec, mastering_display, in_order_of_png(mastering));
  }
  if (const std::string level = body("clli", 4); !level.empty()) {
    constexpr std::size_t parts = 10000;  // of one candela per square metre
    std::string out;
    append_big_endian(out, big_endian_at(level, 0, 2) * parts, 4);
    append_big_endian(out, big_endian_at(level, 2, 2) * parts, 4);
    put_bytes(spec, light_level, out);
  }
  const std::string shape = body("pasp", 8);
  const std::uint64_t across = big_endian_at(shape, 0, 4), down = big_endian_at(shape, 4, 4);
  if (across > 0 && down > 0 && across != down) {
    spec.attribute("PixelAspectRatio", static_cast<float>(across) / static_cast<float>(down));
  }
}

bool has_movie_in_jpeg(const std::filesystem::path& path) {
  Bytes in(path, true);
  std::uint64_t end = 0;
  const std::vector<Segment> head = head_of_jpeg(in, end);
  // An editor may have cut the movie off and left the words: its first box is looked for.
  return (xmp_names_movie(in, head) && holds(in, end, "ftyp"sv)) || trailer_names_movie(in, end);
}

HeifAttached attached_in_heif(const std::filesystem::path& path) {
  HeifAttached out;
  Bytes in(path, true);
  for (const Box& b : boxes_in(in, 0, in.size())) out.movie = out.movie || b.name == "mpvd";
  std::uint64_t version = 0;
  const Box meta = full_box_within(in, {{}, 0, in.size()}, "meta", version);
  const std::vector<std::uint32_t> items = tone_maps_in(in, meta);
  out.gain_map = !items.empty() || has_apples_map(in, meta);
  out.maps = maps_of(in, meta, items);
  out.maps.insert(out.maps.end(), items.begin(), items.end());
  return out;
}

}  // namespace sfumato::files
