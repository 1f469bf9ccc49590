// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads, merges and writes the directories of EXIF.
#include "io/module/exif.hpp"

#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

// The names of the document and the page, the description, camera, programs, people, ratings,
// settings of printers, and Windows' own texts; all others of the first directory say how pixels
// are stored.
constexpr std::array<std::uint16_t, 22> described = {
    0x000b, 0x010d, 0x010e, 0x010f, 0x0110, 0x011d, 0x0131, 0x0132, 0x013b, 0x013c, 0x4746,
    0x4749, 0x8298, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f, 0xc4a5, 0xc614, 0xc615, 0xc62f};
// A curve, the white point and the primaries.
constexpr std::array<std::uint16_t, 3> of_colors = {0x012d, 0x013e, 0x013f};
constexpr std::uint16_t color_space = 0xa001, width_tag = 0xa002, height_tag = 0xa003,
                        related_width = 0x1001, related_height = 0x1002;

// The most bytes of all values: a damaged file may point at the same bytes again and again.
constexpr std::uint64_t most_bytes = Bytes::largest;

TiffEntry long_entry(std::uint32_t value) {
  return {tiff_long, 1, little_endian(value, 4)};
}

// Where there is one.
void set_size(TiffEntries& entries, std::uint16_t tag, int size) {
  const auto found = entries.find(tag);
  if (found != entries.end()) found->second = long_entry(static_cast<std::uint32_t>(size));
}

}  // namespace

TiffEntries entries_of(Bytes& in, const TiffDirectory& directory, bool (*wanted)(std::uint16_t),
                       bool* damaged) {
  TiffEntries out;
  std::uint64_t left = most_bytes;
  const auto word = static_cast<std::uint64_t>(directory.word);
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    const std::uint64_t at = directory.entry(i);
    const auto tag = static_cast<std::uint16_t>(in.number(at, 2));
    TiffEntry entry{static_cast<int>(in.number(at + 2, 2)), in.number(at + 4, directory.word), {}};
    if (!wanted(tag) || entry.count == 0) continue;
    const std::uint64_t bytes = tiff_value_bytes(entry.type);
    if (bytes > 0 && entry.count <= left / bytes) {
      const std::uint64_t size = entry.count * bytes, value_at = at + 4 + word;
      entry.value = in.text(size <= word ? value_at : in.number(value_at, directory.word), size);
    }
    if (entry.value.empty()) {
      if (damaged != nullptr) *damaged = true;
      continue;
    }
    left -= entry.value.size();
    if (in.big_endian()) swap_tiff_value(entry.value, entry.type);
    out.insert_or_assign(tag, std::move(entry));
  }
  return out;
}

bool is_described(std::uint16_t tag) {
  return std::find(described.begin(), described.end(), tag) != described.end();
}

bool is_of_colors(std::uint16_t tag) {
  return std::find(of_colors.begin(), of_colors.end(), tag) != of_colors.end();
}

bool is_in_block(std::uint16_t tag) {
  return is_described(tag) || is_of_colors(tag) || is_carried_tag(tag);
}

namespace {

// Whether a directory lies outside the file, or entries that it counts do.
bool is_cut(Bytes& in, const TiffDirectory& directory) {
  const auto counter = static_cast<std::uint64_t>(directory.counter);
  return !in.has(directory.at, counter) ||
         in.number(directory.at, directory.counter) != directory.count;
}

// The directory that an entry of another one points at, if there is such an entry.
TiffEntries entries_at(Bytes& in, TiffDirectory& directory, std::uint16_t tag,
                       bool (*wanted)(std::uint16_t), Exif& of) {
  const std::uint64_t entry = directory.find(in, tag);
  if (entry == 0) return {};
  const auto word = static_cast<std::uint64_t>(directory.word);
  directory.go_to(in, in.number(entry + 4 + word, directory.word));
  of.is_damaged = of.is_damaged || directory.at == 0 || is_cut(in, directory);
  if (directory.at == 0) return {};
  return entries_of(in, directory, wanted, &of.is_damaged);
}

}  // namespace

Exif exif_in(Bytes& in, bool (*wanted)(std::uint16_t), std::uint64_t place) {
  const auto all = [](std::uint16_t) { return true; };
  Exif exif;
  const TiffDirectory first(in, place);
  exif.big_endian = in.big_endian();
  exif.is_damaged = is_cut(in, first);
  exif.image = entries_of(in, first, wanted, &exif.is_damaged);
  TiffDirectory photo = first, gps = first;
  exif.photo = entries_at(
      in, photo, exif_pointer, [](std::uint16_t t) { return t != interoperability; }, exif);
  if (photo.at != first.at) {
    exif.interoperability = entries_at(in, photo, interoperability, all, exif);
  }
  exif.gps = entries_at(in, gps, gps_pointer, all, exif);
  return exif;
}

std::string exif_block(const Exif& exif) {
  if (exif.empty()) return {};
  constexpr std::uint64_t header = 8;
  TiffWriter out(exif.big_endian, false, header);
  std::uint64_t photo_at = 0, gps_at = 0, rules_at = 0;
  // The first directory holds the offsets of those after it, so all are written twice.
  for (int pass = 0; pass < 2; ++pass) {
    out = TiffWriter(exif.big_endian, false, header);
    TiffEntries image = exif.image, photo = exif.photo;
    if (!exif.interoperability.empty()) {
      photo[interoperability] = long_entry(static_cast<std::uint32_t>(rules_at));
    }
    if (!photo.empty()) image[exif_pointer] = long_entry(static_cast<std::uint32_t>(photo_at));
    if (!exif.gps.empty()) image[gps_pointer] = long_entry(static_cast<std::uint32_t>(gps_at));
    out.add(image, 0);
    if (!photo.empty()) photo_at = out.add(photo, 0);
    if (!exif.interoperability.empty()) rules_at = out.add(exif.interoperability, 0);
    if (!exif.gps.empty()) gps_at = out.add(exif.gps, 0);
  }
  std::string block = exif.big_endian ? "MM" : "II";
  out.put(block, 42, 2);
  out.put(block, header, 4);
  return block + out.bytes();
}

Exif merged(Exif carried, const OIIO::ImageSpec& written, bool same_colors) {
  std::vector<char> encoded;
  OIIO::encode_exif(written, encoded);
  Bytes in(std::string(encoded.begin(), encoded.end()));
  const TiffDirectory directory(in);
  if (!same_colors) {
    carried.photo.erase(color_space);
    carried.interoperability.clear();
    std::erase_if(carried.image, [](const auto& one) { return is_of_colors(one.first); });
  }
  for (const auto& [tag, size] :
       {std::pair(width_tag, written.width), {height_tag, written.height}}) {
    set_size(carried.photo, tag, size);
  }
  set_size(carried.interoperability, related_width, written.width);
  set_size(carried.interoperability, related_height, written.height);
  put_attributes(carried, written);
  put_camera(carried, written);
  Exif made = exif_in(in, is_described);
  carried.photo.merge(made.photo);
  carried.gps.merge(made.gps);
  // Carried entries describe the picture; the writer adds the rest. OpenImageIO puts some of a
  // camera's entries into the first directory.
  constexpr std::uint16_t first_of_cameras = 0x829a;
  for (auto& [tag, entry] : entries_of(in, directory, [](std::uint16_t tag) {
         return tag != exif_pointer && tag != gps_pointer;
       })) {
    const bool camera = tag >= first_of_cameras && !is_described(tag);
    (camera ? carried.photo : carried.image).emplace(tag, std::move(entry));
  }
  put_resolution(carried, written);
  put_comment(carried, written);
  return carried;
}

}  // namespace sfumato::files
