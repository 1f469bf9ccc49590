// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Decides on colours and metadata of a file to be written.
#include <algorithm>
#include <array>
#include <cstdio>

#include "io/module/embedded.hpp"
#include "io/module/exif_names.hpp"
#include "io/module/planner.hpp"
#include "io/module/radiance.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;
using Curve = Coding::Curve;

}  // namespace

// Prepares the conversion from another profile to sRGB, if it is wanted.
void Planner::choose_colours() {
  if (!wants_srgb() || origin_ == nullptr) return;
  if (origin_->info().icc_profile.empty() || origin_->profile().srgb) return;
  converts_ = true;
  plan_.to_srgb = origin_->can_convert_colors();
  if (!plan_.to_srgb) {
    warn(message({"profile.unusable",
                  "{file}: the colour profile cannot be used; the colours are taken for sRGB's"},
                 target()));
  }
}

// Gray is a palette in BMP, whose colours need another profile.
bool Planner::holds_profile() const {
  return info_.icc && (!is(FileKind::bmp) || out().color_channels() == 3);
}

// A gray profile does not describe colours.
bool Planner::profile_fits() const {
  return out().color_channels() == 1 || !origin_->profile().gray;
}

void Planner::carry_profile() {
  if (converts_) {
    // Numbers say it in HEIF.
    const bool numbers = is(FileKind::heif) || is(FileKind::bmp);
    const bool profile = info_.icc && out().color_channels() == 3 && !numbers;
    if (profile) embed(srgb_profile_with(out().coding));
    return;
  }
  if (plan_.hdr != HdrCurve::none) return carry_hdr_profile();
  if (origin_ == nullptr || origin_->info().icc_profile.empty()) return;
  if (is(FileKind::openexr) || is(FileKind::hdr)) return carry_primaries();
  if (!holds_profile() || request_.options.profile == ProfileChoice::strip) {
    return say_lost_profile();
  }
  // The tone curve is not lost: samples were converted to the format's usual one.
  if (!profile_fits()) return;
  std::vector<unsigned char> profile = origin_->info().icc_profile;
  const bool same_curve = out().coding == request_.format.coding;
  // If the profile's curve is unknown to the engine, the picture was read with a guess. Samples
  // still fit the profile if they are written with the same guess.
  if (!same_curve) {
    profile = origin_->profile_with({.coding = out().coding});
    if (profile.empty()) {
      nameless_ = true;
      warn(message({"profile.does_not_fit",
                    "{file}: the colour profile does not fit {depth} numbers and is left out"},
                   target(), depth_name(out().type)));
      return;
    }
  }
  const bool numbers = origin_->numbers().cicp[0] != 0 && same_curve;
  if (!numbers || !is(FileKind::heif)) embed(profile);
  if (same_curve) carry_cicp();
}

// PNG says it in numbers, too, and HEIF in numbers alone.
void Planner::carry_cicp() {
  const auto& cicp = origin_->numbers().cicp;
  if (cicp[0] == 0) return;
  if (is(FileKind::png)) {
    plan_.chunks += png_chunk("cICP" + std::string(cicp.begin(), cicp.end()));
  }
  if (is(FileKind::heif)) state_numbers(cicp);
}

void Planner::state_numbers(const std::array<unsigned char, 4>& cicp) {
  plan_.spec.attribute("sfumato:cicp", TypeDesc(TypeDesc::UINT8, 4), cicp.data());
}

void Planner::carry_hdr_profile() {
  ProfileCurve curve;
  curve.transfer = plan_.hdr == HdrCurve::pq ? 16 : 18;
  if (const unsigned char number = origin_->numbers().cicp[0]; number != 0) {
    curve.primaries = number;
  }
  const bool numbers = is(FileKind::heif) && origin_->numbers().cicp[0] != 0;
  if (!origin_->info().icc_profile.empty() && !numbers) embed(origin_->profile_with(curve));
  nameless_ = true;  // as sRGB
  carry_cicp();
}

// OpenEXR and HDR have no profiles, but hold linear light with any primaries.
void Planner::carry_primaries() {
  constexpr TypeDesc eight(TypeDesc::FLOAT, 8);
  ImageSpec& s = plan_.spec;
  if (origin_->numbers().curve == HdrCurve::pq) {
    s.attribute("whiteLuminance", static_cast<float>(hdr_white));
  }
  if (request_.options.profile == ProfileChoice::strip) return say_lost_profile();
  if (origin_->profile().srgb_primaries || out().color_channels() == 1) return;
  const OIIO::ParamValue* own = origin_->spec().find_attribute("chromaticities", eight);
  if (own != nullptr) {
    s.attribute("chromaticities", eight, own->data());
    return;
  }
  const std::optional<Primaries>& primaries = origin_->profile().primaries;
  if (!primaries) return say_lost_profile();
  std::array<float, 8> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>((*primaries)[i / 2][i % 2]);
  }
  s.attribute("chromaticities", eight, numbers.data());
}

void Planner::say_lost_profile() {
  if (origin_->profile().srgb_primaries) return;
  nameless_ = true;
  warn(request_.options.profile != ProfileChoice::strip
           ? message({"format.no_profile",
                      "{file}: {format} cannot hold the colour profile; it is left out, "
                      "colours will look different elsewhere"},
                     target(), info_.name)
           : message({"profile.left_out",
                      "{file}: the colour profile is not sRGB's; as it is left out, "
                      "colours will look different elsewhere"},
                     target()));
}

void Planner::embed(const std::vector<unsigned char>& profile) {
  plan_.spec.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(profile.size())),
                       profile.data());
}

void Planner::carry_metadata() {
  const bool all = request_.options.keep_metadata;
  if (origin_ != nullptr) {
    const bool described = info_.metadata || is(FileKind::hdr) || is(FileKind::bmp);
    if (described) carry_description(all && !is(FileKind::bmp));
    carry_comments();
    if (described) carry_bytes();
    say_dropped(all);
    if (all) say_unread_metadata();
    carry_header(all);
    carry_chunks();
    if (all) say_other_texts();
    if (all) say_lost_attributes();
    say_lost_orientation();
  }
  if (out().alpha == AlphaKind::straight) {
    plan_.spec.attribute("oiio:UnassociatedAlpha", 1);
  }
  state_date();
  state_curve();
}

void Planner::carry_description(bool all) {
  ImageSpec& s = plan_.spec;
  copy_metadata(origin_->spec(), origin_->info().file_format, s, info_.id, all);
  if (!(out().coding == request_.format.coding)) s.erase_attribute("Exif:ColorSpace");
  const bool others = converts_ || request_.options.profile == ProfileChoice::strip;
  if (others) s.erase_attribute("chromaticities");
  if (others || !is(FileKind::openexr)) s.erase_attribute(color_name);
  const bool exact = convert_resolution(s, info_.id);
  if (!exact && is(FileKind::bmp)) say_rounded_resolution();
}

void Planner::say_lost_orientation() {
  if (!drops(Property::orientation) || origin_->info().orientation == 1) return;
  plan_.spec.erase_attribute("Orientation");
  warn(message({"format.no_orientation",
                "{file}: {format} cannot say which side is up; the picture will lie as it is "
                "stored"},
               target(), info_.name));
}

// BMP has no other place for it.
void Planner::say_rounded_resolution() {
  warn(message({"format.rounded_resolution",
                "{file}: {format} counts whole pixels per metre; the picture's resolution is "
                "rounded, or left out if it is less than one"},
               target(), info_.name));
}

// The description of the picture for EXIF, which has exact resolutions: in HEIF it lies as it is
// shown.
ImageSpec Planner::turned() const {
  ImageSpec out = plan_.spec;
  keep_resolution(origin_->spec(), out);
  if (!is(FileKind::heif) || out.get_int_attribute("Orientation", 1) < 5) return out;
  std::swap(out.width, out.height);
  const float x = out.get_float_attribute("XResolution");
  if (x > 0) {
    out.attribute("XResolution", out.get_float_attribute("YResolution"));
    out.attribute("YResolution", x);
  }
  return out;
}

// Headers of Radiance HDR and PFM hold factors of the samples, which are more than metadata.
void Planner::carry_header(bool all) {
  const OIIO::ParamValue* scale = origin_->spec().find_attribute(pfm_scale);
  if (is(FileKind::pfm) && scale != nullptr) plan_.spec.extra_attribs.add_or_replace(*scale);
  if (!is(FileKind::hdr)) return;
  const ImageSpec& from = origin_->spec();
  const std::string exposures(same_kind_ ? from.get_string_attribute(radiance_exposures) : "");
  plan_.chunks = radiance_lines(plan_.spec, exposures, all && same_kind_);
  if (!all || same_kind_) return;
  // A mark keeps them from being taken for variables.
  bool cut = false;
  for (const std::string& line : broken_lines(texts(true), radiance_text)) {
    cut = cut || plan_.chunks.size() > most_radiance_texts;
    if (!cut) plan_.chunks += "# " + line + "\n";
  }
  if (cut) say_cut_texts();
}

// What OpenImageIO's readers leave in bytes, for OpenEXR's attributes.
void Planner::carry_attributes(const Metadata& m) {
  ImageSpec& s = plan_.spec;
  const std::string comment = comment_of(m.exif);
  if (!comment.empty()) s.attribute("Exif:UserComment", comment);
  if (!request_.options.keep_metadata) return;
  const std::string title = title_of(s, m.exif);
  if (!title.empty()) s.attribute("DocumentName", title);
  if (same_kind_) return;
  read_camera(m.exif, s);
  const std::string lost = take_exif(origin_->spec(), s);
  if (!lost.empty()) say_exif_beside(lost);
  const std::string iptc = take_iptc(origin_->spec(), s);
  if (iptc.empty()) return;
  warn(message({"format.iptc_beside",
                "{file}: left out, since {format} has no place for them: the IPTC entries {names}"},
               target(), info_.name, iptc));
}

// What is missing of the input's metadata.
void Planner::say_unread_metadata() {
  const Metadata& m = origin_->metadata();
  const std::string file = shown(origin_->info().path);
  if (m.texts_are_cut) {
    warn(
        message({"file.texts_cut",
                 "{file}: what is longer than 64 KB in its metadata is left out, because it is too "
                 "long in all"},
                file));
  }
  if (m.exif.is_damaged) {
    warn(message({"file.exif_cut",
                  "{file}: its EXIF metadata is damaged; what cannot be read of it is left out"},
                 file));
  }
  if (m.xmp_is_cut) {
    warn(message({"file.xmp_cut", "{file}: its XMP metadata is damaged; a part of it is left out"},
                 file));
  }
  if (m.resources_are_cut) {
    warn(message({"file.resources_cut",
                  "{file}: its Photoshop resources are damaged or too long; a part of them is left "
                  "out"},
                 file));
  }
}

// Metadata that the file holds as bytes. OpenEXR and HDR only have attributes, BMP a resolution.
void Planner::carry_bytes() {
  Metadata& m = plan_.metadata;
  if (request_.options.keep_metadata) m = origin_->metadata();
  settle_size(m);
  if (is(FileKind::openexr) || is(FileKind::hdr) || is(FileKind::bmp)) {
    if (is(FileKind::openexr)) carry_attributes(m);
    settle_attributes();
    m = {};
    return;
  }
  if (is(FileKind::tiff)) say_lost_colors(m.exif);
  settle_attributes();
  m.exif = merged(std::move(m.exif), turned(), same_colors());
  if (drops(Property::iptc)) m.iptc.clear();
  fit_metadata(m);
}

// Where TIFF's own tags would give them another meaning, EXIF's words about colours are left out.
void Planner::say_lost_colors(const Exif& exif) {
  std::string names;
  for (const auto& [tag, entry] : exif.image) {
    if (!is_of_colors(tag)) continue;
    names += (names.empty() ? "" : ", ") + name_of_entry(&Exif::image, tag);
  }
  if (!names.empty() && same_colors()) say_exif_beside(names);
}

void Planner::say_exif_beside(const std::string& names) {
  warn(message({"format.exif_beside",
                "{file}: left out, since {format} has no place for them: the EXIF entries {names}"},
               target(), info_.name, names));
}

void Planner::fit_metadata(Metadata& m) {
  ImageSpec& s = plan_.spec;
  constexpr FileKinds as_bytes(FileKind::jpeg, FileKind::png, FileKind::jpeg2000, FileKind::tiff);
  const bool no_iptc = m.iptc.empty() && m.xmp.empty();
  if (no_iptc && as_bytes.has(writer_) && has_iptc(s)) m.iptc = iptc_of(s);
  if (is(FileKind::png)) {
    const bool texts = same_kind_ && request_.options.keep_metadata;
    if (texts) plan_.chunks += take_carried_texts(origin_->spec(), s);
    constexpr FileKinds as_exif(FileKind::jpeg, FileKind::tiff, FileKind::webp, FileKind::heif,
                                FileKind::jpeg2000, FileKind::psd);
    plan_.chunks += take_png_texts(s, origin_->metadata(), !as_exif.has(origin_->kind()));
    plan_.chunks += png_chunks(m);
  }
  constexpr std::uint16_t orientation = 0x0112;
  if (is(FileKind::heif)) m.exif.image.erase(orientation);
  if (!is(FileKind::jpeg)) return;
  // Beside EXIF's comment.
  if (!comment_of(origin_->metadata().exif).empty() && request_.options.keep_metadata) {
    const std::string others = other_texts(s);
    if (!others.empty()) plan_.chunks += (plan_.chunks.empty() ? "" : "\n") + others;
  }
  // OpenImageIO repeats XMP's description in EXIF, where a long one does not fit.
  constexpr std::uint16_t image_description = 0x010e;
  constexpr std::size_t long_text = 30000;
  const auto repeated = m.exif.image.find(image_description);
  if (!m.xmp.empty() && repeated != m.exif.image.end() &&
      repeated->second.value.size() > long_text &&
      origin_->metadata().exif.image.count(image_description) == 0) {
    m.exif.image.erase(repeated);
  }
  if (const std::vector<Message> lost = fit_jpeg(m, plan_.chunks); !lost.empty()) {
    warn(message({"format.jpeg_metadata",
                  "{file}: JPEG cannot hold all of the picture's metadata; what is too long for "
                  "it is left out ({parts})"},
                 target(), listed(lost)));
  }
  keep_only_storage(s);
}

// OpenImageIO states the time of writing if there is no date: the same picture would be a
// different file each time, and a file without metadata would reveal when it was made. The unknown
// date is left out of OpenEXR files again.
void Planner::state_date() {
  const bool dated = is(FileKind::tiff) || is(FileKind::openexr);
  if (origin_ == nullptr || !dated || plan_.spec.find_attribute("DateTime") != nullptr) return;
  const bool known = request_.options.keep_metadata && !is(FileKind::openexr);
  plan_.spec.attribute("DateTime", known ? date_of(origin_->info().path) : unknown_date);
}

void Planner::state_curve() {
  ImageSpec& s = plan_.spec;
  if (s.find_attribute("ICCProfile") != nullptr) return;  // the profile states it
  if (nameless_ || s.find_attribute("sfumato:cicp") != nullptr) return;
  if (is(FileKind::heif)) {
    state_numbers({1, 13, 0, 1});  // sRGB
  } else if (is(FileKind::jpeg2000) || is(FileKind::bmp)) {
    s.attribute("oiio:ColorSpace", "sRGB");
  } else if (is(FileKind::png)) {
    if (out().coding.curve == Curve::gamma) {
      std::array<char, 32> name{};
      std::snprintf(name.data(), name.size(), "Gamma%.4g", static_cast<double>(out().coding.gamma));
      for (char& c : name) c = c == ',' ? '.' : c;  // the locale's decimal sign may be a comma
      s.attribute("oiio:ColorSpace", name.data());
      s.attribute("oiio:Gamma", out().coding.gamma);
    } else {
      s.attribute("oiio:ColorSpace", out().coding.curve == Curve::linear ? "Linear" : "sRGB");
    }
  } else if (!is_integer(out().type)) {
    s.attribute("oiio:ColorSpace", "Linear");
  }
}

}  // namespace sfumato::files
