// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names all metadata that a format cannot hold, in one sentence.
#include <algorithm>

#include "io/module/camera_raw.hpp"
#include "io/module/embedded.hpp"
#include "io/module/planner.hpp"
#include "io/module/radiance.hpp"
#include "io/module/targa_area.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

bool has_light(const ImageSpec& spec) {
  return spec.find_attribute(mastering_display) != nullptr ||
         spec.find_attribute(light_level) != nullptr;
}

bool has_text(const ImageSpec& spec, const char* name, const Exif& exif, std::uint16_t tag) {
  return !spec.get_string_attribute(name).empty() || exif.image.count(tag) != 0;
}

bool has_date(const ImageSpec& spec, const Exif& exif) {
  constexpr std::uint16_t date = 0x0132;
  return spec.get_string_attribute("DateTime") != unknown_date &&
         has_text(spec, "DateTime", exif, date);
}

bool has_software(const ImageSpec& spec, const Exif& exif) {
  constexpr std::uint16_t software = 0x0131;
  return has_text(spec, "Software", exif, software);
}

// EXIF's maker note says the same as LibRaw finds in it.
bool has_words_of_maker(const ImageSpec& spec, const Exif& exif) {
  constexpr std::uint16_t maker_note = 0x927c;
  return says_by_maker(spec) && exif.photo.count(maker_note) == 0;
}

}  // namespace

// "XMP metadata, comments".
Message listed(const std::vector<Message>& names) {
  Message out = names.back();
  for (auto name = std::next(names.rbegin()); name != names.rend(); ++name) {
    out = message({"property.list", "{first}, {rest}"}, *name, out);
  }
  return out;
}

bool has_iptc(const ImageSpec& spec) {
  return std::any_of(spec.extra_attribs.begin(), spec.extra_attribs.end(),
                     [](const OIIO::ParamValue& p) {
                       const std::string name = lower(p.name().string());
                       return name == "keywords" || name.rfind("iptc:", 0) == 0;
                     });
}

// What a picture means stays without metadata, too.
bool Planner::has_meaning(Property property) const {
  const ImageSpec& s = origin_->spec();
  switch (property) {
    case Property::exposure:
      return s.find_attribute(radiance_exposures) != nullptr;
    case Property::sample_scale:
      return s.find_attribute(pfm_scale) != nullptr;
    case Property::resolution:
      return has_resolution(s);
    case Property::pixel_aspect:
      return is_stretched(s) && (!has_resolution(s) || drops(Property::resolution));
    default:
      return false;
  }
}

bool Planner::has_metadata(Property property) const {
  const Metadata& m = origin_->metadata();
  const ImageSpec& s = origin_->spec();
  switch (property) {
    case Property::mastering:
      return has_light(s);
    case Property::exif:
      return has_more_than_words(m.exif) || has_camera(s);
    case Property::maker_words:
      return has_words_of_maker(s, m.exif);
    case Property::iptc:
      return !m.iptc.empty() || (m.xmp.empty() && has_iptc(s));
    case Property::xmp:
      return !m.xmp.empty();
    case Property::comments:
      return has_comments(s) || !texts(true).empty();
    case Property::photoshop:
      return !m.resources.empty();
    case Property::software:
      return has_software(s, m.exif);
    case Property::time_stamps:
      return has_date(s, m.exif);
    default:
      return has_own_metadata(property);
  }
}

// What only the input's format has.
bool Planner::has_own_metadata(Property property) const {
  const ImageSpec& s = origin_->spec();
  const FileKind kind = origin_->kind();
  switch (property) {
    case Property::environment:
      return kind == FileKind::openexr && has_environment(s);
    case Property::own_numbers:
      return kind == FileKind::openexr && has_numbers(s);
    case Property::key_color:
    case Property::job_time:
      return kind == FileKind::targa && has_in_targa(s, property);
    case Property::private_tags:
      if (kind == FileKind::targa) return has_in_targa(s, property);
      [[fallthrough]];
    case Property::georeferencing:
    case Property::page_place:
      return has_tags(origin_->metadata().tags, property);
    default:
      return false;
  }
}

// The key colour is one of the samples as they are stored.
bool Planner::loses(Property property) const {
  return drops(property) || (property == Property::key_color && !same_colors());
}

void Planner::say_dropped(bool all) {
  std::vector<Message> lost;
  for (const PropertyRow& row : table::rows) {
    const Property one = row.property;
    if (!loses(one)) continue;
    if (has_meaning(one) || (all && has_metadata(one))) lost.push_back(name_of(one));
  }
  // Attributes of OpenEXR and texts of PNG are named one by one.
  constexpr FileKinds by_name(FileKind::openexr, FileKind::png);
  const bool others = all && !info_.metadata && !by_name.has(origin_->kind());
  if (others && has_other_metadata(origin_->spec(), !origin_->metadata().xmp.empty())) {
    lost.push_back(message({"property.other_metadata", "other metadata"}));
  }
  if (!lost.empty()) {
    warn(message({"format.drops", "{file}: left out, since {format} cannot hold it: {properties}"},
                 target(), info_.name, listed(lost)));
  }
  if (all && has_light(origin_->spec()) && !drops(Property::mastering) && !keeps_light()) {
    warn(message({"format.untrue_light",
                  "{file}: left out, since it is true of the unconverted colours only: {property}"},
                 target(), name_of(Property::mastering)));
  }
}

}  // namespace sfumato::files
