// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads EXIF, IPTC and XMP from files, and puts them into TIFF files.
#include "io/module/embedded.hpp"

#include <OpenImageIO/tiffutils.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "io/module/camera_raw.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::uint16_t xmp_tag = 700, iptc_tag = 33723, photoshop_tag = 34377;

// Photoshop's image resources: one of them holds IPTC.
constexpr std::string_view resource_mark = "8BIM"sv;
constexpr std::uint64_t iptc_resource = 0x0404;

}  // namespace

bool is_resource_mark(std::string_view mark) {
  constexpr std::array marks = {resource_mark, "MeSa"sv, "PHUT"sv, "AgHg"sv, "DCSR"sv};
  return std::find(marks.begin(), marks.end(), mark) != marks.end();
}

std::string tiff_bytes(Bytes& in, const TiffDirectory& directory, std::uint16_t tag, int& type) {
  const std::uint64_t entry = directory.find(in, tag);
  if (entry == 0) return {};
  const auto word = static_cast<std::uint64_t>(directory.word);
  type = static_cast<int>(in.number(entry + 2, 2));
  const std::uint64_t count = in.number(entry + 4, directory.word);
  if (count > Bytes::largest) return {};
  const std::uint64_t size = count * tiff_value_bytes(type);
  return in.text(size <= word ? entry + 4 + word : in.number(entry + 4 + word, directory.word),
                 size);
}

void read_tiff_metadata(Bytes& in, std::uint64_t place, Metadata& out) {
  out.exif = exif_in(in, is_described, place);
  const TiffDirectory directory(in, place);
  int type = 0;
  out.xmp = tiff_bytes(in, directory, xmp_tag, type);
  out.iptc = tiff_bytes(in, directory, iptc_tag, type);
  // Some files hold the bytes as numbers in the other byte order.
  constexpr char record = 0x1c;
  if (type == tiff_long && out.iptc.size() >= 4 && out.iptc[0] != record && out.iptc[3] == record) {
    swap_tiff_value(out.iptc, tiff_long);
  }
  const std::string resources = tiff_bytes(in, directory, photoshop_tag, type);
  if (out.iptc.empty()) out.iptc = iptc_of_resources(resources);
  out.resources = carried_resources(resources, out.resources_are_cut);
  if (resources.empty()) {
    out.resources_are_cut = directory.find(in, photoshop_tag) != 0;
  }
  out.tags = carried_tags(in, directory, out.tags_are_cut);
  while (!out.iptc.empty() && out.iptc.back() == '\0') out.iptc.pop_back();
}

bool write_at(int descriptor, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

void append_big_endian(std::string& to, std::size_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    to.push_back(static_cast<char>(value >> shift));
  }
}

std::uint64_t big_endian_at(std::string_view text, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) {
    const std::size_t place = at + static_cast<std::size_t>(i);
    value = value << 8 | (place < text.size() ? static_cast<unsigned char>(text[place]) : 0u);
  }
  return value;
}

namespace {

// Calls visit(id, data, whole resource) until it returns false. False where a resource makes no
// sense.
template <class Visit>
bool visit_resources(std::string_view resources, Visit&& visit) {
  while (is_resource_mark(resources.substr(0, 4))) {
    const std::uint64_t id = big_endian_at(resources, 4, 2);
    const auto name = static_cast<std::size_t>(big_endian_at(resources, 6, 1));
    const std::size_t head = 10 + (name + 2) / 2 * 2;  // its length and itself have an even size
    const auto size = static_cast<std::size_t>(big_endian_at(resources, head - 4, 4));
    if (head > resources.size() || size > resources.size() - head) return false;
    const std::size_t end = std::min(head + (size + 1) / 2 * 2, resources.size());
    const bool goes_on = resources.substr(0, 4) != resource_mark ||
                         visit(id, resources.substr(head, size), resources.substr(0, end));
    if (!goes_on) return true;
    resources.remove_prefix(end);
  }
  return resources.find_first_not_of('\0') == resources.npos;
}

}  // namespace

std::string iptc_of_resources(std::string_view resources) {
  std::string out;
  visit_resources(resources, [&](std::uint64_t id, std::string_view data, std::string_view) {
    if (id == iptc_resource) out = data;
    return id != iptc_resource;
  });
  return out;
}

bool is_carried_resource(std::uint64_t id) {
  // Those up to 1099 say how the file or Photoshop's windows were set up, or are read as what they
  // are, but for these: guides, flag and URL of a copyright, the file's own URL and a list of them.
  // Later ones are paths, and those of plug-ins; 7000 and more are settings again.
  constexpr std::array<std::uint64_t, 5> of_picture = {1032, 1034, 1035, 1051, 1054};
  constexpr std::uint64_t first_setting = 1000, last_setting = 1099, first_own = 7000,
                          last_own = 10000;
  if (std::find(of_picture.begin(), of_picture.end(), id) != of_picture.end()) return true;
  return (id < first_setting || id > last_setting) && (id < first_own || id > last_own);
}

std::string carried_resources(std::string_view resources, bool& cut) {
  std::string out;
  const bool whole = visit_resources(
      resources, [&](std::uint64_t id, std::string_view data, std::string_view resource) {
        const bool says = data.find_first_not_of('\0') != data.npos;
        if (!says || !is_carried_resource(id)) return true;
        out += resource;
        out.append(resource.size() & 1, '\0');
        return true;
      });
  cut = cut || !whole;
  return out;
}

std::string without_guides(std::string_view resources) {
  constexpr std::uint64_t guides = 1032;
  std::string out;
  visit_resources(resources, [&](std::uint64_t id, std::string_view, std::string_view whole) {
    if (id == guides) return true;
    out += whole;
    out.append(whole.size() & 1, '\0');
    return true;
  });
  return out;
}

std::string resources_of(const std::string& iptc) {
  if (iptc.empty()) return {};
  std::string out(resource_mark);
  append_big_endian(out, iptc_resource, 2);
  append_big_endian(out, 0, 2);  // no name
  append_big_endian(out, iptc.size(), 4);
  return (out + iptc).append(iptc.size() & 1, '\0');
}

Exif exif_in_block(std::string block) {
  // Some programs put the mark of a JPEG file's segment in front.
  if (block.rfind(exif_mark, 0) == 0) block.erase(0, exif_mark.size());
  if (block.empty()) return {};
  const bool has_order = block.rfind("II", 0) == 0 || block.rfind("MM", 0) == 0;
  const bool is_block = block.rfind("II*\0"sv, 0) == 0 || block.rfind("MM\0*"sv, 0) == 0;
  Exif out;
  if (has_order) {
    Bytes in(std::move(block));
    out = exif_in(in, is_in_block);
  }
  out.is_damaged = out.is_damaged || !is_block;
  return out;
}

Metadata metadata_in(const std::string& kind, const std::filesystem::path& path,
                     const OIIO::ImageSpec& spec, int page) {
  Metadata out = kind == "raw" ? metadata_in_raw(path) : Metadata();
  Bytes in = kind == "jpeg" ? opened_jpeg(path, page) : Bytes(path, true);
  if (kind == "jpeg") read_jpeg_metadata(in, out);
  if (kind == "png") {
    PngMetadata held = metadata_in_png(in);
    out.exif = exif_in_block(std::move(held.exif));
    out.iptc = std::move(held.iptc);
    out.xmp = std::move(held.xmp);
    out.resources = std::move(held.resources);
    out.resources_are_cut = held.resources_are_cut;
    out.xmp_is_cut = held.xmp_is_cut;
  }
  if (kind == "tiff") read_tiff_metadata(in, directory_of(spec), out);
  if (kind == "psd") read_psd(in, out);
  if (const OIIO::ParamValue* block = spec.find_attribute("sfumato:exif")) {
    out.exif = exif_in_block(std::string(static_cast<const char*>(block->data()),
                                         static_cast<std::size_t>(block->datasize())));
  }
  if (spec.find_attribute(unread_exif) != nullptr) out.exif.is_damaged = true;
  if (const OIIO::ParamValue* block = spec.find_attribute("sfumato:iptc")) {
    out.iptc.assign(static_cast<const char*>(block->data()),
                    static_cast<std::size_t>(block->datasize()));
  }
  if (out.xmp.empty()) out.xmp = std::string(spec.get_string_attribute("sfumato:xmp"));
  while (!out.xmp.empty() && out.xmp.back() == '\0') out.xmp.pop_back();
  return out;
}

std::string iptc_of(const OIIO::ImageSpec& described) {
  // OpenImageIO 2.4 ends the program if a text is empty.
  OIIO::ImageSpec spec = described;
  std::vector<std::string> empty;
  for (const OIIO::ParamValue& p : spec.extra_attribs) {
    if (p.type() == OIIO::TypeDesc::STRING && p.get_string().empty()) {
      empty.push_back(p.name().string());
    }
  }
  for (const std::string& name : empty) spec.erase_attribute(name);
  // It would state EXIF's words beside IPTC's own.
  for (const auto& [own, other] : {std::pair("IPTC:Caption", "ImageDescription"),
                                   {"IPTC:Creator", "Artist"},
                                   {"IPTC:CopyrightNotice", "Copyright"},
                                   {"IPTC:OriginatingProgram", "Software"}}) {
    if (spec.find_attribute(own) != nullptr) spec.erase_attribute(other);
  }
  std::vector<char> encoded;
  OIIO::encode_iptc_iim(spec, encoded);
  // The character set, UTF-8, comes first (IPTC-IIM 4.2, 1:90).
  constexpr std::string_view utf8 = "\x1c\1\x5a\0\3\x1b%G"sv;
  return encoded.empty() ? std::string() : std::string(utf8).append(encoded.data(), encoded.size());
}

namespace {

// Writes the first page's directory again, at the end of the file, with metadata.
bool rewrite_directory(int descriptor, Bytes& in, const TiffDirectory& directory,
                       const Metadata& metadata) {
  TiffEntries image;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    const std::uint64_t at = directory.entry(i);
    const std::string raw = in.text(at, directory.entry_bytes);
    if (raw.empty()) return false;
    image.emplace(static_cast<std::uint16_t>(in.number(at, 2)), TiffEntry{0, 0, {}, raw});
  }
  for (const auto& [tag, entry] : metadata.exif.image) {
    if (is_described(tag) || is_carried_tag(tag)) image.insert_or_assign(tag, entry);
  }
  for (const auto& [tag, entry] : metadata.tags) image.insert_or_assign(tag, entry);

  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  const std::string gap(static_cast<std::size_t>(end & 1), '\0');
  const auto begin = static_cast<std::uint64_t>(end) + gap.size();
  TiffWriter tail(in.big_endian(), directory.big_tiff, begin);
  const auto point = [&](TiffEntries& from, std::uint16_t tag, const TiffEntries& entries) {
    if (entries.empty()) return;
    const std::uint64_t at = tail.add(entries, 0);
    from[tag] = directory.big_tiff ? TiffEntry{tiff_long8, 1, little_endian(at, 8)}
                                   : TiffEntry{tiff_long, 1, little_endian(at, 4)};
  };
  Exif exif = exif_in_order(metadata.exif, in.big_endian());
  point(exif.photo, interoperability, exif.interoperability);
  point(image, exif_pointer, exif.photo);
  point(image, gps_pointer, exif.gps);
  if (!metadata.xmp.empty()) image[xmp_tag] = {tiff_byte, metadata.xmp.size(), metadata.xmp};
  if (!metadata.iptc.empty()) {
    // libtiff expects numbers of four bytes.
    std::string iptc = metadata.iptc;
    iptc.resize((iptc.size() + 3) / 4 * 4, '\0');
    if (in.big_endian()) swap_tiff_value(iptc, tiff_long);
    image[iptc_tag] = {tiff_long, iptc.size() / 4, iptc};
  }
  if (!metadata.resources.empty()) {
    image[photoshop_tag] = {tiff_byte, metadata.resources.size(), metadata.resources};
  }
  const std::uint64_t next = in.number(directory.entry(directory.count), directory.word);
  const std::uint64_t at = tail.add(image, next);
  std::string pointer;
  tail.put(pointer, at, directory.word);
  // Classic TIFF counts bytes in 32 bits.
  if (!directory.big_tiff && begin + tail.bytes().size() > 0xffffffffu) return true;
  return write_at(descriptor, gap + tail.bytes(), static_cast<std::uint64_t>(end)) &&
         write_at(descriptor, pointer, directory.header);
}

}  // namespace

bool put_into_tiff(int descriptor, const std::filesystem::path& path, const Metadata& metadata) {
  Bytes in(path, false);
  const TiffDirectory directory(in);
  if (directory.count == 0) return false;
  return metadata.empty() || rewrite_directory(descriptor, in, directory, metadata);
}

// The entries after it move up, and the next page's offset after them.
bool settle_tiff_directories(int descriptor, const std::filesystem::path& path,
                             const TiffEntries& exact) {
  constexpr std::uint16_t date_tag = 306;
  Bytes in(path, false);
  TiffDirectory directory(in);
  while (directory.count > 0 && directory.at > 0) {
    if (!settle_fractions_of_tiff(descriptor, in, directory, exact)) return false;
    const auto word = static_cast<std::uint64_t>(directory.word);
    const std::uint64_t end = directory.entry(directory.count);
    const std::uint64_t next = in.number(end, directory.word);
    const std::uint64_t entry = directory.find(in, date_tag);
    const std::uint64_t place = entry == 0 ? 0 : in.number(entry + 4 + word, directory.word);
    if (entry != 0 && in.text(place, std::string_view(unknown_date).size()) == unknown_date) {
      const std::uint64_t behind = entry + directory.entry_bytes;
      std::string count;
      TiffWriter(in.big_endian(), directory.big_tiff, 0)
          .put(count, directory.count - 1, directory.counter);
      if (!write_at(descriptor, in.text(behind, end + word - behind), entry) ||
          !write_at(descriptor, count, directory.at)) {
        return false;
      }
    }
    directory.go_to(in, next);
  }
  return true;
}

namespace {

// Moves the rest of the file, from offset `from`, to offset `to`.
bool move_rest(int descriptor, Bytes& in, std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end < 0 || from == to) return end >= 0;
  const std::uint64_t size = static_cast<std::uint64_t>(end) - from;
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t piece = std::min(most, size - done);
    // In the order that reads every byte before it is overwritten.
    const std::uint64_t at = to > from ? size - done - piece : done;
    const std::string bytes = in.text(from + at, piece);
    if (bytes.size() != piece || !write_at(descriptor, bytes, to + at)) return false;
    done += piece;
  }
  return ::ftruncate(descriptor, static_cast<off_t>(to + size)) == 0;
}

}  // namespace

bool replace_head(int descriptor, Bytes& in, std::uint64_t from, const std::string& head) {
  return move_rest(descriptor, in, from, head.size()) && write_at(descriptor, head, 0);
}

}  // namespace sfumato::files
