// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tags that only TIFF has a place for: georeferencing (GeoTIFF 1.1), a page's place, private tags.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/tiff_page.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

const char* const directory_name = "sfumato:directory";

constexpr std::uint16_t first_private = 32768, older_type = 255;

// What stands where, of how many pages, and for which printer.
constexpr std::array<std::uint16_t, 3> of_pages = {286, 287, 297};
constexpr std::uint16_t target_printer = 337;

// Scale, tie points, transformation and keys; the second is an older transformation.
constexpr std::array<std::uint16_t, 7> of_maps = {33550, 33920, 33922, 34264, 34735, 34736, 34737};

// Private tags that say how pixels are stored, point at other directories, or hold what is read
// elsewhere or shows the unfiltered picture, as Photoshop's layers do.
constexpr std::uint16_t content_credentials = 52545;
constexpr std::array<std::uint16_t, 27> of_storage = {
    32781, 32995, 32996, 32997, 32998, 33300, 33301, 33302, 33421,
    33422, 33723, 34232, 34377, 34665, 34675, 34853, 34908, 34909,
    34910, 34911, 34926, 34927, 34929, 37724, 40965, 50674, content_credentials};

// The standard's own tags about samples, inks and halftones (TIFF 6) that are not applied.
struct NamedTag {
  std::uint16_t tag;
  std::string_view name;
};
constexpr std::array unread_tags = {
    NamedTag{263, "Thresholding"},       NamedTag{280, "MinSampleValue"},
    NamedTag{281, "MaxSampleValue"},     NamedTag{291, "GrayResponseCurve"},
    NamedTag{321, "HalftoneHints"},      NamedTag{336, "DotRange"},
    NamedTag{340, "SMinSampleValue"},    NamedTag{341, "SMaxSampleValue"},
    NamedTag{342, "TransferRange"},      NamedTag{343, "ClipPath"},
    NamedTag{532, "ReferenceBlackWhite"}};

template <class List>
bool among(std::uint16_t tag, const List& list) {
  return std::find(list.begin(), list.end(), tag) != list.end();
}

bool is_carried(std::uint16_t tag) {
  return tag == subfile_type || is_carried_tag(tag);
}

}  // namespace

bool is_carried_tag(std::uint16_t tag) {
  if (tag == target_printer || among(tag, of_pages)) return true;
  return tag >= first_private && !among(tag, of_storage) && !is_described(tag);
}

TiffEntries carried_tags(Bytes& in, const TiffDirectory& directory, bool& cut) {
  // Descriptions must fit into a packet.
  constexpr std::size_t most_bytes = std::size_t{2} << 20;
  TiffEntries out;
  std::size_t bytes = 0;
  for (auto& [tag, entry] : entries_of(in, directory, is_carried)) {
    const bool points = entry.type == tiff_directory || entry.type == tiff_directory8;
    bytes += points ? 0 : entry.value.size();
    if (points || bytes > most_bytes) {
      cut = true;
    } else {
      out.emplace(tag, std::move(entry));
    }
  }
  return out;
}

bool has_tags(const TiffEntries& tags, Property property) {
  return std::any_of(tags.begin(), tags.end(), [property](const auto& one) {
    const std::uint16_t tag = one.first;
    if (tag == subfile_type) return false;
    if (among(tag, of_pages)) return property == Property::page_place;
    if (among(tag, of_maps)) return property == Property::georeferencing;
    return property == Property::private_tags;
  });
}

void set_gray_samples(TiffEntries& tags, const OIIO::ImageSpec& page, bool straight) {
  constexpr std::uint16_t photometric = 262, extra_samples = 338;
  constexpr int number_type = 3;
  constexpr std::uint64_t min_is_black = 1, no_opacity = 0, premultiplied_opacity = 1,
                          straight_opacity = 2;
  std::string others;
  for (int c = 1; c < page.nchannels; ++c) {
    const std::uint64_t opacity = straight ? straight_opacity : premultiplied_opacity;
    others += little_endian(c == page.alpha_channel ? opacity : no_opacity, 2);
  }
  tags[photometric] = {number_type, 1, little_endian(min_is_black, 2)};
  tags[extra_samples] = {number_type, static_cast<std::uint64_t>(page.nchannels - 1), others};
}

void set_subfile_type(TiffEntries& tags, int type) {
  tags.erase(subfile_type);
  if (type != 0)
    tags[subfile_type] = {tiff_long, 1, little_endian(static_cast<std::uint64_t>(type), 4)};
}

std::uint64_t directory_of(const OIIO::ImageSpec& page) {
  const OIIO::ParamValue* place = page.find_attribute(directory_name, OIIO::TypeDesc::UINT64);
  return place == nullptr ? 0 : place->get<std::uint64_t>();
}

void set_directory(OIIO::ImageSpec& page, std::uint64_t place) {
  page.attribute(directory_name, OIIO::TypeDesc::UINT64, &place);
}

bool has_photoshop_layers(const std::filesystem::path& path, const OIIO::ImageSpec& page) {
  constexpr std::uint16_t image_source_data = 37724;
  Bytes in(path, false);
  return TiffDirectory(in, directory_of(page)).find(in, image_source_data) != 0;
}

bool has_credentials_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& page) {
  Bytes in(path, false);
  return TiffDirectory(in, directory_of(page)).find(in, content_credentials) != 0;
}

std::string unread_tags_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& page) {
  constexpr std::uint16_t thresholding = 263, least = 280, most = 281, black_and_white = 532;
  constexpr int rgb = 2;
  Bytes in(path, false);
  const TiffDirectory directory(in, directory_of(page));
  const auto bits = static_cast<unsigned>(
      page.get_int_attribute("oiio:BitsPerSample", static_cast<int>(8 * page.format.size())));
  // What says nothing: the standard's own values.
  const auto says_nothing = [&](std::uint16_t tag, std::uint64_t value) {
    if (tag == thresholding) return value == 1;
    if (tag == least) return value == 0;
    return tag == most && bits < 32 && value == (std::uint64_t{1} << bits) - 1;
  };
  std::string out;
  for (const auto& [tag, name] : unread_tags) {
    const std::uint64_t entry = directory.find(in, tag);
    if (entry == 0) continue;
    // Of other colours it says how they become RGB.
    const bool other_colors = page.get_int_attribute("tiff:PhotometricInterpretation") != rgb;
    if (tag == black_and_white && other_colors) continue;
    const auto word = static_cast<std::uint64_t>(directory.word);
    if (says_nothing(tag, in.number(entry + 4 + word, 2))) continue;
    out.append(out.empty() ? "" : ", ").append(name);
  }
  return out;
}

int further_pictures_in_tiff(const std::filesystem::path& path, const OIIO::ImageSpec& page) {
  constexpr std::size_t most = 1000;
  Bytes in(path, false);
  TiffDirectory directory(in, directory_of(page));
  int type = 0;
  Bytes places(tiff_bytes(in, directory, sub_pictures, type));
  places.set_big_endian(in.big_endian());
  // A list of other numbers holds no places.
  const auto bytes = static_cast<std::uint64_t>(tiff_value_bytes(type));
  if (bytes < 4) return 0;
  const std::uint64_t count = std::min<std::uint64_t>(most, places.size() / bytes);
  int found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    directory.go_to(in, places.number(i * bytes, static_cast<int>(bytes)));
    if (directory.count > 0 && (subfile_bits(in, directory) & subfile_reduced) == 0) ++found;
  }
  return found;
}

namespace {

// Reduced, page, mask; also depth maps and alternatives of DNG, whose bit is added to the first.
constexpr std::uint64_t known_subfile_bits = 0x1001f;

// A whole number as the standard wants it; nullopt for another type, or of bits that are unknown.
std::optional<int> subfile_number(int type, std::string value, bool big_endian) {
  constexpr int short_type = 3;
  const bool whole =
      type == tiff_byte || type == short_type || type == tiff_long || type == tiff_long8;
  if (!whole || value.size() != tiff_value_bytes(type)) return std::nullopt;
  if (big_endian) std::reverse(value.begin(), value.end());
  std::uint64_t number = 0;
  for (std::size_t i = value.size(); i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(value[i]);
  }
  if ((number & ~known_subfile_bits) != 0) return std::nullopt;
  return static_cast<int>(number);
}

std::optional<int> said_subfile_number(Bytes& in, const TiffDirectory& directory,
                                       std::uint16_t tag) {
  int type = 0;
  std::string value = tiff_bytes(in, directory, tag, type);
  return subfile_number(type, std::move(value), in.big_endian());
}

}  // namespace

int subfile_type_in(const TiffEntries& tags) {
  const auto found = tags.find(subfile_type);
  if (found == tags.end()) return 0;
  return subfile_number(found->second.type, found->second.value, false).value_or(0);
}

bool has_unknown_subfile_type(Bytes& in, const TiffDirectory& directory) {
  const std::uint16_t tag = directory.find(in, subfile_type) != 0 ? subfile_type : older_type;
  return directory.find(in, tag) != 0 && !said_subfile_number(in, directory, tag);
}

int subfile_bits(Bytes& in, const TiffDirectory& directory) {
  constexpr std::uint16_t strips = 273, tiles = 324, jpeg_file = 513;
  constexpr int older_reduced = 2, older_page = 3;
  if (directory.find(in, subfile_type) != 0) {
    return said_subfile_number(in, directory, subfile_type).value_or(0);
  }
  const int older = said_subfile_number(in, directory, older_type).value_or(0);
  if (older == older_reduced) return subfile_reduced;
  if (older == older_page) return subfile_page;
  // A camera's small picture, as EXIF has it.
  const bool samples = directory.find(in, strips) != 0 || directory.find(in, tiles) != 0;
  return !samples && directory.find(in, jpeg_file) != 0 ? subfile_reduced : 0;
}

bool has_more_tiff_pages(const std::filesystem::path& path) {
  constexpr int most = 1000;
  Bytes in(path, false);
  TiffDirectory directory(in);
  int whole = 0;
  for (int i = 0; i < most && directory.count > 0 && directory.at > 0; ++i) {
    if ((subfile_bits(in, directory) & subfile_reduced) == 0 && ++whole > 1) return true;
    directory.go_to(in, in.number(directory.entry(directory.count), directory.word));
  }
  return false;
}

}  // namespace sfumato::files
