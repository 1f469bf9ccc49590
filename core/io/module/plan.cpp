// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Decides on depth, channels, tone curve and parts of a file to be written.
#include <algorithm>
#include <array>

#include "io/module/planner.hpp"
#include "io/module/second_layer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

// libheif 1.15 reads no more.
constexpr int most_heif = 32768;

// Whether `large` can represent every number of `small`.
bool holds(SampleType large, SampleType small) {
  if (large == small || large == SampleType::f32) return true;
  return small == SampleType::u8 && (large == SampleType::u16 || large == SampleType::f16);
}

void name_part(ImageSpec& to, const ImageSpec& from) {
  const std::string name = part_name(from);
  if (!name.empty()) to.attribute("oiio:subimagename", name);
}

}  // namespace

WritePlan Planner::plan() {
  out() = request_.format;
  if (origin_ != nullptr && origin_->numbers().curve != HdrCurve::none) {
    const bool eight = origin_->spec().format == TypeDesc::UINT8;
    out().type = eight ? SampleType::u8 : SampleType::u16;  // of the file, not of its light
  }
  if (request_.options.in_color && out().channels < 3) {
    out().channels += 2;
    more_colors_ = true;
  }
  check_size();
  choose_colours();
  choose_depth();
  choose_hdr();
  choose_channels_held();
  choose_coding();
  say_other_coding();
  make_spec();
  carry_profile();
  carry_metadata();
  set_compression(plan_.spec, request_, out().type, same_kind_ ? &origin_->spec() : nullptr);
  carry_other_channels();
  carry_layer();
  carry_other_parts();
  carry_tags();
  carry_shape();
  carry_targa();
  carry_light();
  deliver();
  return std::move(plan_);
}

// What the engine delivers: full depth if more is done to its pixels than to store them.
void Planner::deliver() {
  plan_.format = out();
  if (!plan_.to_srgb && !plan_.ground && plan_.hdr == HdrCurve::none) return;
  if (plan_.ground) ++plan_.format.channels;
  plan_.format.type = SampleType::f32;
  if (plan_.to_srgb) {
    // In the coding that the profile describes.
    plan_.format.alpha = plan_.format.channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
    plan_.format.coding = request_.format.coding;
  } else if (plan_.ground) {
    plan_.format.alpha = AlphaKind::premultiplied;
    plan_.format.coding = Coding::linear();
  }
}

// A curve of HDR displays is kept where a profile can name it.
void Planner::choose_hdr() {
  if (origin_ == nullptr || origin_->numbers().curve == HdrCurve::none) return;
  if (!is_integer(out().type)) return;
  // PNG and HEIF have numbers for it, too; gray has no profile.
  const bool numbers = is(FileKind::png) || is(FileKind::heif);
  const bool named = holds_profile() && (numbers || !origin_->info().icc_profile.empty());
  if (named && !converts_ && request_.options.profile == ProfileChoice::keep) {
    plan_.hdr = origin_->numbers().curve;
    return;
  }
  warn(message({"format.hdr_cut",
                "{file}: the picture is stored for ordinary displays; what is brighter than white "
                "paper is cut off"},
               target()));
}

void Planner::check_size() const {
  int most = 1 << 30;
  if (is(FileKind::webp)) most = 16383;
  if (is(FileKind::heif)) most = most_heif;
  if (is(FileKind::jpeg)) most = 65500;
  if (is(FileKind::targa)) most = 65535;
  if (std::max(out().width, out().height) > most) {
    throw FileError(message({"format.too_large",
                             "{file}: {format} holds pictures of up to {most} pixels a side; "
                             "choose TIFF, PNG or OpenEXR"},
                            shown(request_.shown), info_.name, most));
  }
  // They count bytes in 32 bits.
  constexpr double most_bytes = 4.2e9;
  const double bytes = 1.0 * out().width * out().height * (out().channels + 1);
  if ((is(FileKind::bmp) || is(FileKind::targa)) && bytes > most_bytes) {
    throw FileError(message({"format.too_many_bytes",
                             "{file}: {format} holds pictures of up to 4 GB; choose TIFF, PNG or "
                             "OpenEXR"},
                            shown(request_.shown), info_.name));
  }
}

// The input's bits of 16-bit samples, if it says less.
int Planner::own_bits() const {
  const int bits = origin_ == nullptr ? 0 : origin_->spec().get_int_attribute("oiio:BitsPerSample");
  return bits > 8 && bits < 16 ? bits : 16;
}

// AVIF has no 10 bits: libheif 1.15 and libaom disagree about what such a file is, and end the
// process.
void Planner::choose_bits() {
  if (!is(FileKind::heif) || out().type != SampleType::u16) return;
  bits_ = own_bits() <= 10 && info_.id == "heif" ? 10 : 12;
}

std::string Planner::stored_depth() const {
  return bits_ > 0 ? std::to_string(bits_) + "-bit" : depth_name(out().type);
}

void Planner::choose_depth() {
  const SampleType in = out().type;
  if (request_.options.bits) {
    out().type = *request_.options.bits;
    choose_bits();
    if (bits_ > 0) say_other_depth(out().type);
    return;
  }
  out().type = info_.depths.back();
  for (const SampleType t : info_.depths) {
    if (!holds(t, in)) continue;
    out().type = t;
    break;
  }
  choose_bits();
  if (!holds(out().type, in) || (bits_ > 0 && own_bits() > bits_)) say_other_depth(in);
}

void Planner::say_other_depth(SampleType wanted) {
  if (origin_ != nullptr && origin_->other_numbers()) {
    warn(message({"format.other_numbers",
                  "{file}: {format} cannot hold {numbers}; the picture is stored with {stored} "
                  "ones"},
                 target(), info_.name, *origin_->other_numbers(), stored_depth()));
  } else {
    warn(message({"format.other_depth",
                  "{file}: {format} cannot hold {depth} numbers; the picture is stored with "
                  "{stored} ones"},
                 target(), info_.name, depth_name(wanted), stored_depth()));
  }
}

void Planner::choose_channels_held() {
  if (out().has_alpha() && !info_.alpha) {
    // As usual in photo tools: white paper for pictures, no light for linear data.
    const bool white = is_integer(out().type);
    plan_.ground = white ? 1.0f : 0.0f;
    plan_.laid_over =
        white ? message({"format.over_white",
                         "{file}: {format} cannot hold transparency; the picture is laid over "
                         "white"},
                        target(), info_.name)
              : message({"format.over_black",
                         "{file}: {format} cannot hold transparency; the picture is laid over "
                         "black"},
                        target(), info_.name);
    out().alpha = AlphaKind::none;
    --out().channels;
  }
  constexpr FileKinds no_gray_alpha(FileKind::jpeg2000, FileKind::bmp, FileKind::targa);
  // libpng refuses a profile for colours in a gray file.
  const bool for_colors = is(FileKind::png) && origin_ != nullptr && !wants_srgb() &&
                          request_.options.profile != ProfileChoice::strip &&
                          !origin_->info().icc_profile.empty() && !origin_->profile().gray;
  const bool in_color =
      !info_.gray || for_colors || (out().has_alpha() && no_gray_alpha.has(writer_));
  if (in_color && out().channels < 3) out().channels += 2;
  if (!out().has_alpha() || is(FileKind::tiff)) return;
  out().alpha = is(FileKind::openexr) ? AlphaKind::premultiplied : AlphaKind::straight;
}

void Planner::choose_coding() {
  if (plan_.hdr != HdrCurve::none) {
    out().coding = Coding::linear();
    return;
  }
  const bool in_integers = is_integer(request_.format.type);
  const bool out_integers = is_integer(out().type);
  const Coding in = request_.format.coding;
  const bool profile = origin_ != nullptr && !origin_->info().icc_profile.empty() &&
                       holds_profile() && profile_fits() &&
                       request_.options.profile != ProfileChoice::strip;
  // A tone curve other than the format's usual one must be stated in the file.
  const bool stated = is(FileKind::png) || (is(FileKind::targa) && same_kind_);
  const bool said = profile || (stated && out_integers);
  const Coding usual = out_integers ? Coding::srgb() : Coding::linear();
  if (wants_srgb() && (converts_ || out_integers)) {
    out().coding = usual;
    return;
  }
  out().coding = in_integers == out_integers && said ? in : usual;
  // Integers without a profile are read as sRGB; only PNG and TGA can state another curve.
  if (out_integers && in_integers && !said && in == Coding::srgb()) out().coding = in;
}

// Warns if integers that only float can hold get another tone curve.
void Planner::say_other_coding() {
  if (request_.options.bits || origin_ == nullptr || !origin_->other_numbers() ||
      is_integer(out().type) || out().coding == request_.format.coding) {
    return;
  }
  const bool sixteen =
      std::find(info_.depths.begin(), info_.depths.end(), SampleType::u16) != info_.depths.end();
  warn(sixteen ? message({"format.floats_or_16_bits",
                          "{file}: the picture's {numbers} are stored as float numbers in linear "
                          "light; choose 16 bits (--bits 16) to keep their tone curve"},
                         target(), *origin_->other_numbers())
               : message({"format.floats",
                          "{file}: the picture's {numbers} are stored as float numbers in linear "
                          "light"},
                         target(), *origin_->other_numbers()));
}

void Planner::make_spec() {
  ImageSpec& s = plan_.spec;
  s = ImageSpec(out().width, out().height, out().channels, type_desc(out().type));
  static const std::array<std::vector<std::string>, 4> names = {
      {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}}};
  s.channelnames = names[static_cast<std::size_t>(out().channels - 1)];
  s.alpha_channel = out().has_alpha() ? out().channels - 1 : -1;
  if (bits_ > 0) s.attribute("oiio:BitsPerSample", bits_);
  if (origin_ == nullptr || !same_kind_) {
    if (origin_ != nullptr) say_lost_window();
    return;
  }
  if (is(FileKind::openexr)) {
    if (!more_colors_) s.channelnames = origin_->info().channel_names;
    place_windows(origin_->spec(), s);
  }
}

void Planner::say_lost_window() {
  const ImageSpec& f = origin_->spec();
  if (drops(Property::windows) && origin_->kind() == FileKind::openexr &&
      (f.x != f.full_x || f.y != f.full_y || f.width != f.full_width ||
       f.height != f.full_height)) {
    warn(message({"format.no_window",
                  "{file}: {format} knows no display window; the file holds the data window "
                  "alone"},
                 target(), info_.name));
  }
}

// Why channels that were not read cannot be in the new file; empty if they can.
Message Planner::why_channels_are_lost() const {
  if (!same_kind_ || !(is(FileKind::openexr) || is(FileKind::tiff))) {
    return message({"channels.other_format", "only a file of the input's own format holds them"});
  }
  if (more_colors_) {
    return message({"channels.in_color", "a gray picture became a picture in colour"});
  }
  if (request_.options.layer != nullptr) {
    return message({"channels.other_layer", "another layer takes their place"});
  }
  if (is(FileKind::tiff) && origin_->spec().format != plan_.spec.format) {
    return message({"channels.of_one_depth", "all channels of a TIFF file have one depth"});
  }
  return {};
}

void Planner::say_lost_channels() {
  const ImageSpec& from = origin_->spec();
  const auto& chosen = origin_->choice().channels;
  constexpr int most = 20;
  std::string names;
  int count = 0;
  for (int c = 0; c < from.nchannels; ++c) {
    if (std::find(chosen.begin(), chosen.end(), c) != chosen.end()) continue;
    if (++count > most) continue;
    names += (names.empty() ? "" : ", ") + std::string(from.channel_name(c));
  }
  if (count > most) names += ", …";
  warn(count == 1
           ? message({"format.one_channel_lost",
                      "{file}: 1 other channel of the input ({names}) is left out: {reason}"},
                     target(), names, why_channels_are_lost())
           : message({"format.channels_lost",
                      "{file}: {count} other channels of the input ({names}) are left out: "
                      "{reason}"},
                     target(), count, names, why_channels_are_lost()));
}

void Planner::carry_other_channels() {
  if (origin_ == nullptr) return;
  const ImageSpec& from = origin_->spec();
  const auto& chosen = origin_->choice().channels;
  const int others = from.nchannels - static_cast<int>(chosen.size());
  // Of a pair, the third channel is not written.
  if (others <= 0 && origin_->choice().blank == 0) return;
  if (!why_channels_are_lost().empty()) {
    if (others > 0) say_lost_channels();
    return;
  }
  ImageSpec& s = plan_.spec;
  plan_.merge = true;
  s.nchannels = from.nchannels;
  s.channelnames = from.channelnames;
  s.alpha_channel = from.alpha_channel;
  if (is(FileKind::tiff)) return;
  s.channelformats.clear();
  for (int c = 0; c < from.nchannels; ++c) s.channelformats.push_back(from.channelformat(c));
  for (const int c : chosen) {
    s.channelformats[static_cast<std::size_t>(c)] = type_desc(out().type);
  }
}

// TIFF gets it as a page.
void Planner::carry_layer() {
  if (request_.options.layer == nullptr || !is(FileKind::openexr)) return;
  add_layer(plan_.spec, request_.options.layer->name, out());
}

void Planner::carry_other_parts() {
  if (origin_ == nullptr) return;
  const auto& parts = origin_->parts();
  if (same_kind_ && is(FileKind::openexr) && parts.size() > 1) {
    int deep = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (static_cast<int>(i) == origin_->choice().part) {
        plan_.part = static_cast<int>(plan_.parts.size());
        name_part(plan_.spec, parts[i]);
        plan_.parts.push_back(plan_.spec);
      } else if (parts[i].deep) {
        ++deep;
        continue;
      } else {
        plan_.parts.push_back(resized_part(parts[i]));
      }
      plan_.origin_parts.push_back(static_cast<int>(i));
    }
    if (deep == 1) {
      warn(message(
          {"format.one_deep_part", "{file}: 1 deep part is left out; only flat parts are copied"},
          target()));
    } else if (deep > 1) {
      warn(message({"format.deep_parts",
                    "{file}: {count} deep parts are left out; only flat parts are copied"},
                   target(), deep));
    }
    return;
  }
  if (same_kind_) name_part(plan_.spec, origin_->spec());
  if (parts.size() > 1) {
    warn(message({"format.one_part",
                  "{file}: only one of the input's {count} parts is written; choose OpenEXR to "
                  "keep them all"},
                 target(), parts.size()));
  }
  say_other_pages();
}

void Planner::say_other_pages() {
  if (!origin_->has_more_pages()) return;
  plan_.copy_pages = treatment_of(Property::pages) == Treatment::kept;
  if (plan_.copy_pages) make_room_for_pages();
  warn(plan_.copy_pages
           ? message({"format.first_page",
                      "{file}: only the first page was filtered; the other pages are copied"},
                     target())
           : message({"format.first_picture",
                      "{file}: only the first of the input's pictures is read and written"},
                     target()));
}

// Offsets of classic TIFF have 32 bits.
void Planner::make_room_for_pages() {
  constexpr double most = 3.9e9;
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(origin_->info().path, none);
  if (none || static_cast<double>(bytes) + static_cast<double>(plan_.spec.image_bytes()) > most) {
    plan_.spec.attribute("tiff:bigtiff", 1);
  }
}

WritePlan plan_file(const WriteRequest& request, const Origin* origin) {
  return Planner(request, origin).plan();
}

ImageSpec copied_spec(const ImageSpec& from, bool metadata) {
  const std::string kind = "openexr";
  ImageSpec to = from;
  to.extra_attribs.clear();
  copy_metadata(from, kind, to, kind, metadata);
  if (kind == "tiff") {
    // Its place on a sheet is one of its tags, and metadata.
    to.x = to.y = to.full_x = to.full_y = 0;
    to.full_width = to.width;
    to.full_height = to.height;
  }
  for (const char* name : {"ICCProfile", "compression", "oiio:UnassociatedAlpha",
                           "oiio:subimagename", "oiio:ColorSpace"}) {
    if (const OIIO::ParamValue* p = from.find_attribute(name)) to.extra_attribs.push_back(*p);
  }
  // OpenImageIO would state the time of writing.
  if (to.find_attribute("DateTime") == nullptr) to.attribute("DateTime", unknown_date);
  to.tile_width = to.tile_height = to.tile_depth = 0;
  return to;
}

}  // namespace sfumato::files
