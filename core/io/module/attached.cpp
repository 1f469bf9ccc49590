// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What boxes and trailers hold besides pictures: what HEIF says of a picture's light and shape, and
// movies and gain maps that cameras put into a picture's file: motion photos in JPEG (Google's XMP,
// Samsung's trailer) and HEIF, and gain maps in HEIF and AVIF (Apple's, and ISO 21496-1).
#include <algorithm>
#include <array>

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

void add_kind(std::string& list, const std::string& name) {
  constexpr std::size_t longest = 1000;
  if (list.size() > longest || list.find(name) != std::string::npos) return;
  list.append(list.empty() ? "" : ", ").append(name);
}

// What auxiliary pictures are (ISO/IEC 23008-12, 6.5.8): a name that ends with a zero.
std::vector<std::string> auxiliary_kinds(Bytes& in, const Box& meta) {
  constexpr std::uint64_t flags = 4, longest = 200;
  const Box list = inner_box(in, inner_box(in, meta, "iprp"), "ipco");
  std::vector<std::string> out;
  for (const Box& one : boxes_in(in, list.at, list.at + list.size)) {
    if (one.name != "auxC" || one.size <= flags) continue;
    const std::string kind = in.text(one.at + flags, std::min(longest, one.size - flags));
    out.push_back(kind.substr(0, kind.find('\0')));
  }
  return out;
}

void tell_auxiliary(const std::vector<std::string>& kinds, HeifAttached& out) {
  for (const std::string& kind : kinds) {
    const bool number = kind.find(":auxid:") != std::string::npos;  // 1: opacity, 2: depth
    const std::string last = kind.substr(kind.rfind(':') + 1);
    if (last == "hdrgainmap") {
      out.gain_map = true;
    } else if (number ? last != "1" : last != "alpha") {
      add_kind(out.auxiliary, number && last == "2" ? "depth" : last);
    }
  }
}

struct Item {
  std::uint32_t id = 0;
  std::string type, content;  // of a "mime" item
};

std::vector<Item> items_in(Bytes& in, const Box& meta) {
  constexpr std::uint64_t longest = 200;
  std::vector<Item> out;
  std::uint64_t version = 0;
  const Box items = full_box_within(in, meta, "iinf", version);
  const std::uint64_t count_bytes = version == 0 ? 2 : 4;
  if (items.size < count_bytes) return out;
  for (const Box& item : boxes_in(in, items.at + count_bytes, items.at + items.size)) {
    const std::uint64_t kind = in.number(item.at, 1), end = item.at + item.size;
    if (item.name != "infe" || kind < 2) continue;
    const int id_bytes = kind == 2 ? 2 : 4;
    const std::uint64_t id_at = item.at + 4, type_at = id_at + static_cast<unsigned>(id_bytes) + 2;
    if (type_at + 4 > end) continue;
    Item found{static_cast<std::uint32_t>(in.number(id_at, id_bytes)), in.text(type_at, 4), {}};
    const std::string words = in.text(type_at + 4, std::min(longest, end - type_at - 4));
    const std::size_t name_end = words.find('\0');
    if (name_end != std::string::npos) {
      found.content = words.substr(name_end + 1);
      found.content.resize(std::min(found.content.size(), found.content.find('\0')));
    }
    out.push_back(std::move(found));
  }
  return out;
}

// Data of other kinds than pictures, EXIF and XMP.
void tell_other_items(const std::vector<Item>& items, HeifAttached& out) {
  for (const Item& one : items) {
    if (one.type == "mime" && one.content != "application/rdf+xml")
      add_kind(out.others, one.content);
    if (one.type == "uri ") add_kind(out.others, "uri");
  }
}

// Boxes beside those of the picture.
void tell_boxes(Bytes& in, HeifAttached& out) {
  constexpr std::string_view c2pa =
      "\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81"sv;
  constexpr std::array taken = {"ftyp"sv, "meta"sv, "mdat"sv, "free"sv, "skip"sv, "moov"sv,
                                "moof"sv, "idat"sv, "mfra"sv, "sidx"sv, "wide"sv, "styp"sv};
  for (const Box& b : boxes_in(in, 0, in.size())) {
    if (b.name == "mpvd") {
      out.movie = true;
    } else if (b.name == "uuid" && b.size >= c2pa.size() && in.text(b.at, c2pa.size()) == c2pa) {
      out.credentials = true;
    } else if (std::find(taken.begin(), taken.end(), b.name) == taken.end()) {
      add_kind(out.others, b.name);
    }
  }
}

// The items that are computed from a picture and a gain map.
std::vector<std::uint32_t> tone_maps_in(const std::vector<Item>& items) {
  std::vector<std::uint32_t> out;
  for (const Item& one : items) {
    if (one.type == "tmap") out.push_back(one.id);
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
  tell_boxes(in, out);
  std::uint64_t version = 0;
  const Box meta = full_box_within(in, {{}, 0, in.size()}, "meta", version);
  const std::vector<Item> items = items_in(in, meta);
  const std::vector<std::uint32_t> tone_maps = tone_maps_in(items);
  out.gain_map = !tone_maps.empty();
  tell_auxiliary(auxiliary_kinds(in, meta), out);
  tell_other_items(items, out);
  out.maps = maps_of(in, meta, tone_maps);
  out.maps.insert(out.maps.end(), tone_maps.begin(), tone_maps.end());
  return out;
}

}  // namespace sfumato::files
