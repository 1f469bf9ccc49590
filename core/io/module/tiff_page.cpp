// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/tiff_page.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/input.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

constexpr std::uint16_t width_tag = 256, height_tag = 257, bits_tag = 258, compression_tag = 259,
                        strips_tag = 273, strip_sizes_tag = 279, predictor_tag = 317,
                        tiles_tag = 324, tile_sizes_tag = 325, format_tag = 339, jpeg_tag = 513,
                        jpeg_tables = 519, last_jpeg_table = 521;
constexpr std::uint64_t no_compression = 1, old_jpeg = 6, float_predictor = 3;

// Pointers at other directories: of what holds for all pages, of smaller or further pictures, of
// EXIF, of places, of interoperability, and Kodak's own.
constexpr std::array<std::uint16_t, 6> pointers = {sub_pictures, 400,         33424,
                                                   exif_pointer, gps_pointer, 40965};
// Gaps in the file.
constexpr std::array<std::uint16_t, 2> gaps = {288, 289};
// Codes whose samples are numbers in the file's order of bytes, and those that have an order of
// their own.
constexpr std::array<std::uint64_t, 6> codes_of_numbers = {5, 8, 32773, 32946, 34925, 50000};
constexpr std::array<std::uint64_t, 17> codes_of_bytes = {2,     3,     4,     6,     7,     32766,
                                                          32771, 32809, 33003, 33004, 33005, 34661,
                                                          34676, 34677, 34712, 34887, 50001};
// Of the first directory: what samples mean and how they are stored, colours, orientation and
// resolution.
constexpr std::array<std::pair<std::uint16_t, std::uint16_t>, 12> no_metadata = {{
    {254, 259},
    {262, 266},
    {274, 284},
    {290, 293},
    {296, 296},
    {301, 301},
    {317, 325},
    {330, 347},
    {513, 532},
    {32995, 32998},
    {33421, 33422},
    {34675, 34675},
}};

template <typename Number, class List>
bool among(Number number, const List& list) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

bool is_metadata(std::uint16_t tag) {
  constexpr std::uint16_t target_printer = 337;
  return tag == target_printer ||
         std::none_of(no_metadata.begin(), no_metadata.end(), [tag](const auto& range) {
           return range.first <= tag && tag <= range.second;
         });
}

[[noreturn]] void fail_by_damage() {
  throw PageFault(message({"tiff.page_damaged", "it points outside the file, or at nothing"}));
}

[[noreturn]] void fail_by_code(std::uint64_t code) {
  throw PageFault(message({"tiff.page_code", "its compression is of the kind {number}"}, code));
}

TiffEntry offsets_entry(bool big_tiff, const std::vector<std::uint64_t>& offsets) {
  TiffEntry entry{big_tiff ? tiff_long8 : tiff_long, offsets.size(), {}};
  for (const std::uint64_t at : offsets) entry.value += little_endian(at, big_tiff ? 8 : 4);
  return entry;
}

}  // namespace

void throw_page_too_large() {
  throw PageFault(message({"tiff.page_too_large", "the copy would be much larger than the file"}));
}

TiffPageCopy::TiffPageCopy(const std::filesystem::path& path, std::uint64_t directory,
                           const PagePlace& to)
    : in_(path, false), to_(to) {
  add_directory(directory, 0, 0, 0);
  left_ = directories_.size();
}

void TiffPageCopy::add_directory(std::uint64_t at, std::size_t parent, std::uint16_t tag,
                                 int depth) {
  constexpr int deepest = 5;
  constexpr std::size_t most = 1000;
  TiffDirectory from(in_);
  from.go_to(in_, at);
  if (from.count == 0) {
    if (depth == 0) fail_by_damage();
    return;
  }
  if (depth > deepest || directories_.size() >= most) fail_by_damage();
  const std::size_t own = directories_.size();
  Directory made;
  made.at = at;
  made.parent = parent;
  made.tag = tag;
  if (made.is_picture()) add_samples(from, made);
  const bool sized = number(from, width_tag, 0) > 0 && number(from, height_tag, 0) > 0;
  if (depth == 0 && (!sized || made.strips == 0)) fail_by_damage();
  if (made.is_picture()) add_old_jpeg(from, made);
  add_entries(from, made);
  if (made.is_exif()) settle_order(made);
  directories_.push_back(std::move(made));
  std::set<std::uint16_t> followed;
  for (std::uint64_t i = 0; i < from.count; ++i) {
    const auto pointer = static_cast<std::uint16_t>(in_.number(from.entry(i), 2));
    const auto type = static_cast<int>(in_.number(from.entry(i) + 2, 2));
    const bool points =
        among(pointer, pointers) || type == tiff_directory || type == tiff_directory8;
    if (!points || (!to_.metadata && is_metadata(pointer))) continue;
    if (!followed.insert(pointer).second) continue;
    for (const std::uint64_t place : numbers(from, pointer)) {
      add_directory(place, own, pointer, depth + 1);
    }
  }
}

void TiffPageCopy::add_data(Data data, Directory& to) {
  // Strips may share bytes, but a small file must not become one that fills the disk.
  constexpr std::uint64_t most = std::uint64_t{1} << 27;
  if (!in_.has(data.at, data.size)) fail_by_damage();
  bytes_ += data.size;
  if (bytes_ > most + 2 * in_.size()) throw_page_too_large();
  to.data.push_back(std::move(data));
}

std::optional<std::vector<std::uint64_t>> tiff_numbers(Bytes& in, const TiffDirectory& from,
                                                       std::uint16_t tag) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  std::vector<std::uint64_t> out;
  const std::uint64_t entry = from.find(in, tag);
  if (entry == 0) return out;
  const auto type = static_cast<int>(in.number(entry + 2, 2));
  const auto word = static_cast<std::uint64_t>(from.word);
  const std::uint64_t count = in.number(entry + 4, from.word);
  const std::uint64_t bytes = tiff_value_bytes(type);
  if (bytes == 0 || count > most) return std::nullopt;
  std::uint64_t at = entry + 4 + word;
  if (count * bytes > word) at = in.number(at, from.word);
  const std::string held = in.text(at, count * bytes);
  if (held.size() != count * bytes) return std::nullopt;
  Bytes list(held);
  list.set_big_endian(in.big_endian());
  for (std::uint64_t i = 0; i < count; ++i) {
    out.push_back(list.number(i * bytes, static_cast<int>(bytes)));
  }
  return out;
}

std::vector<std::uint64_t> TiffPageCopy::numbers(const TiffDirectory& from, std::uint16_t tag) {
  auto found = tiff_numbers(in_, from, tag);
  if (!found) fail_by_damage();
  return std::move(*found);
}

std::uint64_t TiffPageCopy::number(const TiffDirectory& from, std::uint16_t tag,
                                   std::uint64_t missing) {
  const std::vector<std::uint64_t> all = numbers(from, tag);
  return all.empty() ? missing : all.front();
}

// Whether its samples must be decoded to be put into the other order of bytes; else `unit` becomes
// the number of bytes to be reversed together.
bool TiffPageCopy::are_turned(const TiffDirectory& from, std::size_t& unit) {
  constexpr std::uint64_t first_complex = 5, last_complex = 6;
  const std::uint64_t code = number(from, compression_tag, no_compression);
  if (!in_.big_endian() || among(code, codes_of_bytes)) return false;
  const std::vector<std::uint64_t> bits = numbers(from, bits_tag);
  const std::uint64_t most = bits.empty() ? 1 : *std::max_element(bits.begin(), bits.end());
  // Others are a row of bits, which has no such order.
  const bool has_order = most > 8 && most % 8 == 0;
  if (has_order && std::any_of(bits.begin(), bits.end(), [&](auto b) { return b != most; })) {
    throw PageFault(message({"tiff.page_of_many_depths", "its channels have different depths"}));
  }
  if (code == no_compression) {
    const std::uint64_t format = number(from, format_tag, 1);
    const bool complex = format == first_complex || format == last_complex;
    if (has_order) unit = static_cast<std::size_t>(most / 8 / (complex ? 2 : 1));
    return false;
  }
  if (!among(code, codes_of_numbers)) fail_by_code(code);
  return has_order && number(from, predictor_tag, 1) != float_predictor;
}

void TiffPageCopy::add_samples(const TiffDirectory& from, Directory& to) {
  to.tiled = from.find(in_, tiles_tag) != 0;
  const std::vector<std::uint64_t> places = numbers(from, to.tiled ? tiles_tag : strips_tag);
  const std::vector<std::uint64_t> sizes =
      numbers(from, to.tiled ? tile_sizes_tag : strip_sizes_tag);
  if (places.size() != sizes.size()) fail_by_damage();
  Data each;
  const bool turned = !places.empty() && are_turned(from, each.unit);
  for (std::size_t i = 0; i < places.size(); ++i) {
    each.at = sizes[i] == 0 ? 0 : places[i];
    each.size = sizes[i];
    if (turned) each.strip = static_cast<std::uint32_t>(i);
    add_data(each, to);
  }
  to.strips = places.size();
}

// The first form of JPEG in TIFF: a JPEG file at a place, and strips within it, or tables at places
// (TIFF 6, section 22).
void TiffPageCopy::add_old_jpeg(const TiffDirectory& from, Directory& to) {
  const std::uint64_t code = number(from, compression_tag, no_compression);
  const bool has_file = from.find(in_, jpeg_tag) != 0;
  if (code == old_jpeg && !has_file) fail_by_code(code);
  for (std::uint16_t tag = jpeg_tables; code == old_jpeg && tag <= last_jpeg_table; ++tag) {
    if (from.find(in_, tag) != 0) fail_by_code(code);
  }
  if (!has_file) return;
  Data file;
  file.at = number(from, jpeg_tag, 0);
  file.size = number(from, jpeg_tag + 1, 0);
  to.values.push_back({jpeg_tag, {tiff_long, 0, {}}, to.data.size()});
  add_data(file, to);
}

void TiffPageCopy::add_entries(const TiffDirectory& from, Directory& to) {
  constexpr std::array<std::uint16_t, 5> made_anew = {strips_tag, strip_sizes_tag, tiles_tag,
                                                      tile_sizes_tag, jpeg_tag};
  std::set<std::uint16_t> seen;
  for (std::uint64_t i = 0; i < from.count; ++i) {
    const std::uint64_t entry = from.entry(i);
    const auto tag = static_cast<std::uint16_t>(in_.number(entry, 2));
    if (!seen.insert(tag).second) continue;  // as libtiff, which takes the first
    const bool samples = to.is_picture() && (among(tag, made_anew) || among(tag, gaps));
    if (samples || among(tag, pointers)) continue;
    if (!to_.metadata && is_metadata(tag)) continue;
    add_value(entry, to);
  }
}

void TiffPageCopy::add_value(std::uint64_t entry, Directory& to) {
  // What is longer is copied in pieces.
  constexpr std::uint64_t most_held = 256, most_in_order = std::uint64_t{4} << 20;
  const TiffDirectory file(in_);
  const auto word = static_cast<std::uint64_t>(file.word);
  const auto tag = static_cast<std::uint16_t>(in_.number(entry, 2));
  TiffEntry made{static_cast<int>(in_.number(entry + 2, 2)), in_.number(entry + 4, file.word), {}};
  const std::uint64_t bytes = tiff_value_bytes(made.type);
  if (made.type == tiff_directory || made.type == tiff_directory8) return;
  // Values that cannot be there are left out, as those of unknown types.
  if (bytes == 0 || made.count == 0 || made.count > in_.size() / bytes) return;
  const std::uint64_t size = made.count * bytes;
  const std::uint64_t at =
      size <= word ? entry + 4 + word : in_.number(entry + 4 + word, file.word);
  if (!in_.has(at, size)) return;
  const bool in_order =
      to.is_exif() && made.type == tiff_undefined && size <= most_in_order - in_order_;
  if (in_order) in_order_ += size;
  if (in_order || size <= most_held) {
    made.value = in_.text(at, size);
    if (in_.big_endian()) swap_tiff_value(made.value, made.type);
    to.entries.insert_or_assign(tag, std::move(made));
    return;
  }
  Data data;
  data.at = at;
  data.size = size;
  if (in_.big_endian()) data.unit = tiff_unit(made.type);
  to.values.push_back({tag, std::move(made), to.data.size()});
  add_data(std::move(data), to);
}

// Comments and some tables have the file's order of bytes.
void TiffPageCopy::settle_order(Directory& made) const {
  Exif exif;
  exif.big_endian = in_.big_endian();
  TiffEntries& entries = made.tag == gps_pointer ? exif.gps : exif.photo;
  entries = std::move(made.entries);
  exif = exif_in_order(std::move(exif), false);
  made.entries = std::move(made.tag == gps_pointer ? exif.gps : exif.photo);
}

PagePiece TiffPageCopy::next() {
  constexpr std::size_t enough = std::size_t{3} << 20;
  PagePiece piece;
  while (left_ > 0 && piece.bytes.size() < enough) {
    Directory& now = directories_[left_ - 1];
    if (data_ < now.data.size()) {
      put_some(now.data[data_], piece.bytes);
      continue;
    }
    piece.bytes.append((put_ + piece.bytes.size()) & 1, '\0');
    const std::uint64_t at = to_.begin + put_ + piece.bytes.size();
    put_directory(now, piece.bytes);
    if (--left_ == 0) piece.directory = at;
    data_ = 0;
  }
  put_ += piece.bytes.size();
  constexpr std::uint64_t last_offset = 0xffffffff;
  if (!to_.big_tiff && to_.begin + put_ > last_offset) {
    throw PageFault(message({"tiff.page_beyond", "the copy would be larger than 4 GB"}));
  }
  return piece;
}

void TiffPageCopy::put_some(Data& data, std::string& out) {
  if (done_ == 0) {
    out.append((put_ + out.size()) & 1, '\0');
    // Strips without bytes stand for empty ones.
    data.new_at = data.size == 0 ? 0 : to_.begin + put_ + out.size();
    data.new_size = data.size;
  }
  out += some_of(data);
  if (done_ < data.new_size) return;
  done_ = 0;
  encoded_.clear();
  ++data_;
}

std::string TiffPageCopy::some_of(Data& data) {
  constexpr std::uint64_t most = std::uint64_t{3} << 20;  // whole units of 2, 3, 4 or 8 bytes
  if (data.strip && data.size > 0) {
    const std::uint64_t place = directories_[left_ - 1].at;
    if (done_ == 0) {
      if (!turned_ || turned_at_ != place) turned_ = std::make_unique<TurnedStrips>(in_, place);
      turned_at_ = place;
      encoded_ = turned_->strip(*data.strip);
      if (encoded_.empty()) {
        throw PageFault(message({"tiff.page_not_decoded", "a strip of it cannot be decoded"}));
      }
      data.new_size = encoded_.size();
    }
    const std::string some = encoded_.substr(static_cast<std::size_t>(done_), most);
    done_ += some.size();
    return some;
  }
  std::string some = in_.text(data.at + done_, std::min(most, data.size - done_));
  if (some.empty() && data.size > 0) fail_by_damage();  // the file has become shorter
  done_ += some.size();
  reverse_units(some, data.unit);
  return some;
}

void TiffPageCopy::put_directory(Directory& made, std::string& out) {
  TiffWriter writer(false, to_.big_tiff, to_.begin + put_ + out.size());
  const int word = to_.big_tiff ? 8 : 4;
  std::vector<std::uint64_t> places, sizes;
  for (std::size_t i = 0; i < made.strips; ++i) {
    places.push_back(made.data[i].new_at);
    sizes.push_back(made.data[i].new_size);
  }
  if (made.strips > 0) {
    made.entries[made.tiled ? tiles_tag : strips_tag] = offsets_entry(to_.big_tiff, places);
    made.entries[made.tiled ? tile_sizes_tag : strip_sizes_tag] =
        offsets_entry(to_.big_tiff, sizes);
  }
  for (LongValue& value : made.values) {
    const std::uint64_t at = made.data[value.data].new_at;
    if (value.tag == jpeg_tag) {
      made.entries[jpeg_tag] = offsets_entry(to_.big_tiff, {at});
      continue;
    }
    std::string& raw = value.entry.raw;
    writer.put(raw, value.tag, 2);
    writer.put(raw, static_cast<std::uint64_t>(value.entry.type), 2);
    writer.put(raw, value.entry.count, word);
    writer.put(raw, at, word);
    made.entries.insert_or_assign(value.tag, std::move(value.entry));
  }
  const std::uint64_t at = writer.add(made.entries, 0);
  out += writer.bytes();
  if (made.tag == 0) return;
  // Those behind it of the same tag are there already.
  TiffEntry& pointer = directories_[made.parent].entries[made.tag];
  pointer.type = to_.big_tiff ? tiff_long8 : tiff_long;
  ++pointer.count;
  pointer.value.insert(0, little_endian(at, word));
}

bool tiff_is_whole(const std::filesystem::path& path) try {
  const auto written = open_as("tiff", path);
  const OIIO::ImageSpec s = written->spec();
  std::vector<char> row(static_cast<std::size_t>(s.scanline_bytes(true)));
  return read_native_rows(*written, 0, s, s.height - 1, s.height, row.data()) &&
         !written->has_error();
} catch (const FileError&) {
  return false;  // the directory is missing
}

TiffTail::TiffTail(int descriptor, std::filesystem::path path)
    : descriptor_(descriptor), path_(std::move(path)) {
  Bytes in(path_, false);
  const TiffDirectory directory(in);
  big_tiff_ = directory.big_tiff;
  if (directory.count > 0) link_ = directory.entry(directory.count);
  end_ = in.size() + (in.size() & 1);
}

bool TiffTail::append(const PagePiece& piece) {
  const std::uint64_t begin = end_;
  if (link_ == 0 || !write_at(descriptor_, piece.bytes, begin)) return false;
  end_ += piece.bytes.size();
  if (piece.directory == 0) return true;
  Bytes in(path_, false);
  TiffDirectory directory(in);
  directory.go_to(in, piece.directory);
  if (piece.directory < begin || directory.count == 0) return false;
  std::string place;
  TiffWriter(false, big_tiff_, 0).put(place, piece.directory, directory.word);
  if (!write_at(descriptor_, place, link_)) return false;
  link_ = directory.entry(directory.count);
  end_ += end_ & 1;
  return true;
}

}  // namespace sfumato::files
