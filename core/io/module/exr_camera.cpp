// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenEXR's standard attributes about camera and place, and the same in EXIF (JEITA CP-3451).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

constexpr int text_type = 2, short_type = 3, fraction_type = 5;
constexpr std::uint16_t sensitivity = 0x8827, distance = 0x9206;
constexpr std::uint16_t version = 0, latitude = 2, longitude = 4, altitude_below = 5, altitude = 6;
constexpr std::uint32_t infinite = 0xffffffff;

std::optional<double> number_of(const ImageSpec& spec, const char* name) {
  const OIIO::ParamValue* held = spec.find_attribute(name, OIIO::TypeDesc::FLOAT);
  if (held == nullptr) return std::nullopt;
  return static_cast<double>(*static_cast<const float*>(held->data()));
}

TiffEntry fractions(const std::vector<Fraction>& all) {
  TiffEntry out{fraction_type, all.size(), {}};
  for (const Fraction& one : all) {
    out.value += little_endian(one.above, 4) + little_endian(one.below, 4);
  }
  return out;
}

// Degrees, minutes and seconds, and the letter of the half of the Earth.
void put_angle(TiffEntries& gps, std::uint16_t tag, std::optional<double> angle, double most,
               const char* halves) {
  if (!angle || !(std::abs(*angle) <= most)) return;
  constexpr std::uint32_t parts = 10000;
  const auto all = static_cast<std::uint64_t>(std::llround(std::abs(*angle) * 3600 * parts));
  const std::uint64_t seconds = all % (std::uint64_t{60} * parts), minutes = all / 60 / parts;
  gps.try_emplace(tag, fractions({{static_cast<std::uint32_t>(minutes / 60), 1},
                                  {static_cast<std::uint32_t>(minutes % 60), 1},
                                  {static_cast<std::uint32_t>(seconds), parts}}));
  gps.try_emplace(static_cast<std::uint16_t>(tag - 1),
                  TiffEntry{text_type, 2, std::string(1, halves[*angle < 0 ? 1 : 0]) + '\0'});
}

void put_altitude(TiffEntries& gps, std::optional<double> height) {
  if (!height || !std::isfinite(*height)) return;
  gps.try_emplace(altitude, fractions({fraction_of(std::abs(*height))}));
  gps.try_emplace(altitude_below,
                  TiffEntry{tiff_byte, 1, std::string(1, *height < 0 ? '\1' : '\0')});
}

// What is too fast for 16 bits is stated beside them (EXIF 2.32, 4.6.5).
void put_speed(TiffEntries& photo, std::optional<double> said) {
  constexpr std::uint16_t kind = 0x8830, speed = 0x8833;
  constexpr std::uint64_t most = 65535, iso_speed = 3;
  if (!said || !(*said >= 1 && *said < 4e9)) return;
  const auto value = static_cast<std::uint64_t>(std::llround(*said));
  photo.try_emplace(sensitivity, TiffEntry{short_type, 1, little_endian(std::min(value, most), 2)});
  if (value <= most) return;
  photo.try_emplace(kind, TiffEntry{short_type, 1, little_endian(iso_speed, 2)});
  photo.try_emplace(speed, TiffEntry{tiff_long, 1, little_endian(value, 4)});
}

std::vector<double> numbers_of(const TiffEntries& entries, std::uint16_t tag) {
  std::vector<double> out;
  const auto found = entries.find(tag);
  if (found == entries.end() || found->second.type != fraction_type) return out;
  const std::string& value = found->second.value;
  const auto number = [&value](std::size_t at) {
    std::uint32_t bits = 0;
    for (std::size_t i = 4; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(value[at + i]);
    return bits;
  };
  for (std::size_t at = 0; at + 8 <= value.size(); at += 8) {
    const std::uint32_t above = number(at), below = number(at + 4);
    out.push_back(above == infinite ? std::numeric_limits<double>::infinity()
                  : below == 0      ? std::numeric_limits<double>::quiet_NaN()
                                    : static_cast<double>(above) / below);
  }
  return out;
}

char first_of(const TiffEntries& entries, std::uint16_t tag) {
  const auto found = entries.find(tag);
  return found == entries.end() || found->second.value.empty() ? '\0' : found->second.value.front();
}

void set_number(ImageSpec& spec, const char* name, double value) {
  if (!std::isnan(value) && spec.find_attribute(name) == nullptr) {
    spec.attribute(name, static_cast<float>(value));
  }
}

void read_angle(const TiffEntries& gps, std::uint16_t tag, char negative, const char* name,
                ImageSpec& spec) {
  const std::vector<double> parts = numbers_of(gps, tag);
  if (parts.size() != 3 || std::isinf(parts[0] + parts[1] + parts[2])) return;
  const double angle = parts[0] + parts[1] / 60 + parts[2] / 3600;
  const char half = first_of(gps, static_cast<std::uint16_t>(tag - 1));
  set_number(spec, name, half == negative ? -angle : angle);
}

}  // namespace

void put_camera(Exif& exif, const ImageSpec& spec) {
  const std::size_t before = exif.gps.size();
  put_angle(exif.gps, latitude, number_of(spec, "latitude"), 90, "NS");
  put_angle(exif.gps, longitude, number_of(spec, "longitude"), 180, "EW");
  put_altitude(exif.gps, number_of(spec, "altitude"));
  if (exif.gps.size() > before) {
    exif.gps.try_emplace(version, TiffEntry{tiff_byte, 4, std::string("\2\3\0\0", 4)});
  }
  put_speed(exif.photo, number_of(spec, "isoSpeed"));
  if (const auto focus = number_of(spec, "focus"); focus && *focus > 0) {
    const Fraction metres = std::isinf(*focus) ? Fraction{infinite, 1} : fraction_of(*focus);
    exif.photo.try_emplace(distance, fractions({metres}));
  }
}

void read_camera(const Exif& exif, ImageSpec& spec) {
  read_angle(exif.gps, latitude, 'S', "latitude", spec);
  read_angle(exif.gps, longitude, 'W', "longitude", spec);
  if (const auto height = numbers_of(exif.gps, altitude); height.size() == 1) {
    set_number(spec, "altitude", first_of(exif.gps, altitude_below) == 1 ? -height[0] : height[0]);
  }
  const auto speed = exif.photo.find(sensitivity);
  if (speed != exif.photo.end() && speed->second.type == short_type &&
      speed->second.value.size() >= 2) {
    const std::string& value = speed->second.value;
    set_number(spec, "isoSpeed",
               static_cast<unsigned char>(value[0]) + 256.0 * static_cast<unsigned char>(value[1]));
  }
  if (const auto metres = numbers_of(exif.photo, distance); metres.size() == 1 && metres[0] > 0) {
    set_number(spec, "focus", metres[0]);
  }
}

}  // namespace sfumato::files
