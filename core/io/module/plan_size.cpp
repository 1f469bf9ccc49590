// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a file says about sizes and places of its picture, in another size.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/module/embedded.hpp"
#include "io/module/planner.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

// A fraction's first number, or a whole one, times a factor.
void scale_number(std::string& value, std::size_t at, std::size_t bytes, double factor) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(value[at + i]);
  }
  const double most = std::pow(2.0, 8.0 * static_cast<double>(bytes)) - 1;
  const double scaled = std::clamp(std::round(static_cast<double>(number) * factor), 0.0, most);
  value.replace(at, bytes,
                little_endian(static_cast<std::uint64_t>(scaled), static_cast<int>(bytes)));
}

// Pixels per unit of the sensor: what was one pixel is `factor` of one.
void scale_density(TiffEntries& photo, std::uint16_t tag, double factor) {
  const auto found = photo.find(tag);
  if (found == photo.end() || found->second.value.size() != 8) return;
  // The first number of a fraction times 1000, so that small ones stay exact.
  std::string& value = found->second.value;
  std::uint64_t below = 0;
  for (std::size_t i = 8; i-- > 4;) below = below << 8 | static_cast<unsigned char>(value[i]);
  constexpr std::uint64_t finer = 1000, most = 0xffffffff;
  const bool fits = below * finer <= most;
  if (fits) value.replace(4, 4, little_endian(below * finer, 4));
  scale_number(value, 0, 4, fits ? factor * static_cast<double>(finer) : factor);
}

// Where the subject is: a point, and perhaps a radius or two sides.
void scale_places(TiffEntries& photo, std::uint16_t tag, double across, double down) {
  const auto found = photo.find(tag);
  constexpr int tiff_short = 3;
  if (found == photo.end() || found->second.type != tiff_short) return;
  std::string& value = found->second.value;
  for (std::size_t i = 0; 2 * i + 1 < value.size(); ++i) {
    scale_number(value, 2 * i, 2, i % 2 == 0 ? across : down);
  }
}

void replace_number(std::string& packet, std::string_view name, int number) {
  for (const std::string& begin : {std::string(name) + "=\"", "<" + std::string(name) + ">"}) {
    for (std::size_t at = packet.find(begin); at != std::string::npos;
         at = packet.find(begin, at + 1)) {
      const std::size_t first = at + begin.size();
      const std::size_t end = packet.find_first_not_of("0123456789", first);
      if (end != std::string::npos) packet.replace(first, end - first, std::to_string(number));
    }
  }
}

int scaled(int value, double factor) {
  return static_cast<int>(std::lround(value * factor));
}

}  // namespace

bool Planner::is_resized() const {
  if (origin_ == nullptr) return false;
  const ImageSpec& from = origin_->spec();
  return request_.format.width != from.width || request_.format.height != from.height;
}

// OpenEXR's windows, in the new size.
void Planner::place_windows() {
  ImageSpec& s = plan_.spec;
  const ImageSpec& from = origin_->spec();
  // Not by the rounded size: frames of a sequence have one display window.
  const auto& wanted = request_.options.resizing;
  const bool lies = origin_->info().orientation > 4;
  Resizing resizing = wanted.value_or(Resizing());
  if (lies) std::swap(resizing.most.width, resizing.most.height);
  const double factor = is_resized() ? resizing.factor({from.width, from.height}) : 1;
  s.x = scaled(from.x, factor);
  s.y = scaled(from.y, factor);
  s.full_x = scaled(from.full_x, factor);
  s.full_y = scaled(from.full_y, factor);
  s.full_width = std::max(1, scaled(from.full_width, factor));
  s.full_height = std::max(1, scaled(from.full_height, factor));
}

// Metadata that counts pixels.
void Planner::settle_size(Metadata& m) {
  if (!is_resized()) return;
  constexpr std::uint16_t subject_area = 0x9214, across_sensor = 0xa20e, down_sensor = 0xa20f,
                          subject_location = 0xa214;
  const ImageSpec& from = origin_->spec();
  const double across = 1.0 * request_.format.width / from.width;
  const double down = 1.0 * request_.format.height / from.height;
  scale_places(m.exif.photo, subject_area, across, down);
  scale_places(m.exif.photo, subject_location, across, down);
  scale_density(m.exif.photo, across_sensor, across);
  scale_density(m.exif.photo, down_sensor, down);
  for (const char* name : {"exif:PixelXDimension", "tiff:ImageWidth"}) {
    replace_number(m.xmp, name, request_.format.width);
  }
  for (const char* name : {"exif:PixelYDimension", "tiff:ImageLength"}) {
    replace_number(m.xmp, name, request_.format.height);
  }
  const auto lose = [this](const Message& what) {
    warn(message({"format.other_size",
                  "{file}: left out, since it is true of the picture's old size only: {property}"},
                 target(), what));
  };
  if (std::string others = without_guides(m.resources); others != m.resources) {
    m.resources = std::move(others);
    lose(message({"format.guides", "Photoshop's grid and guides"}));
  }
  if (is(FileKind::tiff) && has_tags(m.tags, Property::georeferencing)) {
    std::erase_if(m.tags,
                  [](const auto& one) { return has_tags({one}, Property::georeferencing); });
    lose(name_of(Property::georeferencing));
  }
}

}  // namespace sfumato::files
