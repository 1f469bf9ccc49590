// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a file says about sizes and places of its picture, in another size.
#include <algorithm>
#include <array>
#include <cmath>

#include "io/module/embedded.hpp"
#include "io/module/planner.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

int scaled(int value, double factor) {
  return static_cast<int>(std::lround(value * factor));
}

}  // namespace

bool Planner::is_resized() const {
  if (origin_ == nullptr) return false;
  const ImageSpec& from = origin_->spec();
  return request_.format.width != from.width || request_.format.height != from.height;
}

// How many times as large the picture is. Not by its rounded size: frames of a sequence have one
// display window.
double Planner::factor() const {
  if (!is_resized()) return 1;
  Resizing resizing = request_.options.resizing.value_or(Resizing());
  if (origin_->info().orientation > 4) std::swap(resizing.most.width, resizing.most.height);
  return resizing.factor({origin_->spec().width, origin_->spec().height});
}

// OpenEXR's windows, in the new size.
void Planner::place_windows(const ImageSpec& from, ImageSpec& s) const {
  const double factor = this->factor();
  s.x = scaled(from.x, factor);
  s.y = scaled(from.y, factor);
  s.full_x = scaled(from.full_x, factor);
  s.full_y = scaled(from.full_y, factor);
  s.full_width = std::max(1, scaled(from.full_width, factor));
  s.full_height = std::max(1, scaled(from.full_height, factor));
}

// Another part of the input's file, which gets as much smaller or larger.
ImageSpec Planner::resized_part(const ImageSpec& from) const {
  ImageSpec out = copied_spec(from, request_.options.keep_metadata);
  if (!is_resized()) return out;
  Resizing by;
  by.scale = factor();
  const PictureSize size = by.of({from.width, from.height});
  out.width = size.width;
  out.height = size.height;
  place_windows(from, out);
  change_pixels(scaling({from.width, from.height}, size), out);
  return out;
}

// What becomes of the input's pixels on their way into the file: HEIF's lie as they are shown.
PixelChange Planner::pixel_change() const {
  const ImageSpec& from = origin_->spec();
  const PictureSize old{from.width, from.height},
      made{request_.format.width, request_.format.height};
  return scaling(old, made) + turning(made, is(FileKind::heif) ? origin_->info().orientation : 1);
}

ImageSpec Planner::described() const {
  ImageSpec out = origin_->spec();
  const PixelChange change = pixel_change();
  if (!change.is_none()) change_pixels(change, out);
  return out;
}

// Metadata that counts pixels.
void Planner::settle_size(Metadata& m) {
  const PixelChange change = pixel_change();
  if (change.is_none()) return;
  change_pixels(change, m.exif);
  change_places(change, m.tags);
  m.xmp = changed_xmp(change, m.xmp);
  if (!is_resized()) return;
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

// The same in attributes. Those that OpenImageIO makes of regions in XMP are what is left of many.
void Planner::settle_attributes() {
  const PixelChange change = pixel_change();
  if (change.is_none()) return;
  ImageSpec& s = plan_.spec;
  change_pixels(change, s);
  if (same_kind_) return;
  std::erase_if(s.extra_attribs, [](const OIIO::ParamValue& p) {
    constexpr std::array of_regions = {
        "mwg-rs:", "stdim:", "starea:", "mp:", "mpri:", "mpreg:", "iptc4xmpext:", "gpano:"};
    const std::string name = lower(p.name().string());
    return std::any_of(of_regions.begin(), of_regions.end(),
                       [&](const char* family) { return name.starts_with(family); });
  });
}

}  // namespace sfumato::files
