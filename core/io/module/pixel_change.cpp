// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/pixel_change.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

constexpr int exif_rational = 5;

std::uint64_t number_at(const std::string& value, std::size_t at, std::size_t bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes; i-- > 0;) out = out << 8 | static_cast<unsigned char>(value[at + i]);
  return out;
}

TiffEntry* entry_in(TiffEntries& entries, std::uint16_t tag, int type) {
  const auto found = entries.find(tag);
  return found == entries.end() || found->second.type != type ? nullptr : &found->second;
}

void move_subject_in(const PixelChange& change, TiffEntries& photo, std::uint16_t tag) {
  constexpr int tiff_short = 3;
  constexpr double most = 65535;
  TiffEntry* entry = entry_in(photo, tag, tiff_short);
  if (entry == nullptr) return;
  std::vector<double> numbers;
  for (std::size_t at = 0; at + 2 <= entry->value.size(); at += 2) {
    numbers.push_back(static_cast<double>(number_at(entry->value, at, 2)));
  }
  move_subject(change, numbers);
  entry->value.clear();
  for (const double one : numbers) {
    const double whole = std::clamp(std::round(one), 0.0, most);
    entry->value += little_endian(static_cast<std::uint64_t>(whole), 2);
  }
}

// A fraction times a factor; small ones stay exact.
void scale_fraction(TiffEntry* entry, double factor) {
  if (entry == nullptr || entry->value.size() != 8) return;
  const auto above = static_cast<double>(number_at(entry->value, 0, 4)),
             below = static_cast<double>(number_at(entry->value, 4, 4));
  if (below == 0) return;
  const Fraction made = fraction_of(above / below * factor);
  entry->value = little_endian(made.above, 4) + little_endian(made.below, 4);
}

// In the type of the old ones, if that is one of OpenEXR's.
void set_numbers(OIIO::ImageSpec& spec, const OIIO::ParamValue& old,
                 const std::vector<double>& all) {
  const std::string name = old.name().string();
  if (old.type().basetype == OIIO::TypeDesc::FLOAT) {
    std::vector<float> floats;
    for (const double one : all)
      floats.push_back(std::round(static_cast<float>(std::max(0.0, one))));
    return spec.attribute(name, OIIO::TypeDesc(old.type()), floats.data());
  }
  std::vector<int> whole;
  for (const double one : all) whole.push_back(static_cast<int>(std::lround(std::max(0.0, one))));
  OIIO::TypeDesc type = old.type();
  type.basetype = OIIO::TypeDesc::INT;
  spec.attribute(name, type, whole.data());
}

void change_density(const PixelChange& change, OIIO::ImageSpec& spec) {
  const std::string names[] = {"Exif:FocalPlaneXResolution", "Exif:FocalPlaneYResolution"};
  float across = spec.get_float_attribute(names[0]), down = spec.get_float_attribute(names[1]);
  across *= static_cast<float>(change.of_width());
  down *= static_cast<float>(change.of_height());
  if (change.exchanges()) std::swap(across, down);
  if (across > 0) spec.attribute(names[0], across);
  if (down > 0) spec.attribute(names[1], down);
}

// Texts of TGA (where on a screen a picture lies) and DPX (where in its original).
void scale_texts(const PixelChange& change, OIIO::ImageSpec& spec) {
  if (change.exchanges()) return;
  for (const char* name :
       {"X origin", "Y origin", "X offset", "Y offset", "X original size", "Y original size"}) {
    const std::string old(spec.get_string_attribute(name));
    double number = 0;
    const auto [end, error] = std::from_chars(old.data(), old.data() + old.size(), number);
    if (old.empty() || error != std::errc() || end != old.data() + old.size()) continue;
    number *= name[0] == 'X' ? change.of_width() : change.of_height();
    spec.attribute(name, std::to_string(std::llround(number)));
  }
}

}  // namespace

void move_subject(const PixelChange& change, std::vector<double>& numbers) {
  if (numbers.size() < 2) return;
  const auto [x, y] = change.point(numbers[0], numbers[1]);
  numbers[0] = x;
  numbers[1] = y;
  if (numbers.size() == 3) numbers[2] *= std::sqrt(change.of_width() * change.of_height());
  if (numbers.size() < 4) return;
  numbers[2] *= change.of_width();
  numbers[3] *= change.of_height();
  if (change.exchanges()) std::swap(numbers[2], numbers[3]);
}

bool PixelChange::is_cropped() const {
  const auto [x, y] = point(0, 0);
  const auto [right, below] = point(from.width, from.height);
  const double near = 1e-6;
  return std::abs(std::min(x, right)) > near || std::abs(std::min(y, below)) > near ||
         std::abs(std::max(x, right) - to.width) > near ||
         std::abs(std::max(y, below) - to.height) > near;
}

bool PixelChange::is_none() const {
  const PixelChange none = no_change(from);
  return to == from && across == none.across && down == none.down;
}

std::array<double, 2> PixelChange::point(double x, double y) const {
  return {across[0] * x + across[1] * y + across[2], down[0] * x + down[1] * y + down[2]};
}

double PixelChange::of_width() const {
  return std::abs(exchanges() ? down[0] : across[0]);
}

double PixelChange::of_height() const {
  return std::abs(exchanges() ? across[1] : down[1]);
}

PixelChange no_change(const PictureSize& size) {
  return {.from = size, .to = size};
}

PixelChange scaling(const PictureSize& from, const PictureSize& to) {
  PixelChange out{.from = from, .to = to};
  out.across[0] = 1.0 * to.width / from.width;
  out.down[1] = 1.0 * to.height / from.height;
  return out;
}

PixelChange turning(const PictureSize& from, int orientation) {
  const double width = from.width, height = from.height;
  PixelChange out = no_change(from);
  constexpr int first_lying = 5;
  if (orientation >= first_lying) std::swap(out.to.width, out.to.height);
  const std::array<double, 3> x = {1, 0, 0}, y = {0, 1, 0}, right = {-1, 0, width},
                              below = {0, -1, height};
  const std::array<std::array<std::array<double, 3>, 2>, 8> shown = {{{x, y},
                                                                      {right, y},
                                                                      {right, below},
                                                                      {x, below},
                                                                      {y, x},
                                                                      {below, x},
                                                                      {below, right},
                                                                      {y, right}}};
  const auto& one = shown[static_cast<std::size_t>(std::clamp(orientation, 1, 8) - 1)];
  out.across = one[0];
  out.down = one[1];
  return out;
}

PixelChange cropping(const PictureSize& from, const PictureSize& to, double x, double y) {
  return {.from = from, .to = to, .across = {1, 0, -x}, .down = {0, 1, -y}};
}

PixelChange operator+(const PixelChange& first, const PixelChange& second) {
  PixelChange out{.from = first.from, .to = second.to};
  const auto combined = [&](const std::array<double, 3>& by) {
    std::array<double, 3> row{};
    for (std::size_t i = 0; i < 3; ++i) row[i] = by[0] * first.across[i] + by[1] * first.down[i];
    row[2] += by[2];
    return row;
  };
  out.across = combined(second.across);
  out.down = combined(second.down);
  return out;
}

void change_pixels(const PixelChange& change, Exif& exif) {
  constexpr std::uint16_t subject_area = 0x9214, across_sensor = 0xa20e, down_sensor = 0xa20f,
                          subject_location = 0xa214;
  TiffEntries& photo = exif.photo;
  move_subject_in(change, photo, subject_area);
  move_subject_in(change, photo, subject_location);
  scale_fraction(entry_in(photo, across_sensor, exif_rational), change.of_width());
  scale_fraction(entry_in(photo, down_sensor, exif_rational), change.of_height());
  const auto across = photo.find(across_sensor), down = photo.find(down_sensor);
  if (change.exchanges() && across != photo.end() && down != photo.end()) {
    std::swap(across->second, down->second);
  }
  change_places(change, exif.image);
}

void change_places(const PixelChange& change, TiffEntries& tags) {
  constexpr std::uint16_t x_position = 286, y_position = 287;
  if (change.exchanges()) return;
  if (change.of_width() != 1)
    scale_fraction(entry_in(tags, x_position, exif_rational), change.of_width());
  if (change.of_height() != 1) {
    scale_fraction(entry_in(tags, y_position, exif_rational), change.of_height());
  }
}

void change_pixels(const PixelChange& change, OIIO::ImageSpec& spec) {
  for (const char* name : {"Exif:SubjectArea", "Exif:SubjectLocation"}) {
    const OIIO::ParamValue* p = spec.find_attribute(name);
    if (p == nullptr || p->type().basetype == OIIO::TypeDesc::STRING) continue;
    const OIIO::ParamValue old = *p;
    std::vector<double> numbers = numbers_in(old);
    if (numbers.empty()) continue;
    move_subject(change, numbers);
    set_numbers(spec, old, numbers);
  }
  change_density(change, spec);
  scale_texts(change, spec);
  for (const auto& [name, side] : {std::pair("Exif:PixelXDimension", change.to.width),
                                   {"Exif:PixelYDimension", change.to.height}}) {
    if (spec.find_attribute(name) != nullptr) spec.attribute(name, side);
  }
}

namespace {

// A number of 32 bits, perhaps below 0, times a factor.
void scale_at(std::string& data, std::size_t at, double factor, bool is_signed) {
  const auto bits = static_cast<std::uint32_t>(big_endian_at(data, at, 4));
  const double old = is_signed ? static_cast<double>(static_cast<std::int32_t>(bits)) : bits;
  const double most = 0x7fffffff, made = std::clamp(std::round(old * factor), -most, most);
  std::string bytes;
  append_big_endian(bytes, static_cast<std::uint32_t>(static_cast<std::int64_t>(made)), 4);
  data.replace(at, 4, bytes);
}

std::string changed_chunk(const PixelChange& change, const std::string& name, std::string data) {
  const double across = change.of_width(), down = change.of_height();
  const auto scale = [&](std::size_t at, bool is_signed) {
    if (data.size() < at + 8) return;
    scale_at(data, at, across, is_signed);
    scale_at(data, at + 4, down, is_signed);
  };
  if (name == "oFFs") scale(0, true);
  if (name == "vpAg" || name == "caNv") scale(0, false);
  if (name == "caNv") scale(8, true);
  return data;
}

}  // namespace

std::string changed_chunks(const PixelChange& change, const std::string& chunks) {
  std::string out;
  constexpr std::size_t frame = 12;
  for (std::size_t at = 0; at + frame <= chunks.size();) {
    const auto size = static_cast<std::size_t>(big_endian_at(chunks, at, 4));
    const std::string name = chunks.substr(at + 4, 4), data = chunks.substr(at + 8, size);
    out += png_chunk(name + changed_chunk(change, name, data));
    at += size + frame;
  }
  return out;
}

}  // namespace sfumato::files
