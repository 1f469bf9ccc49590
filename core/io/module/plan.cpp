// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Decides on depth, channels, tone curve, profile and metadata of a file to be written.
#include <algorithm>
#include <array>
#include <cstdio>

#include "io/module/output.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;
using Curve = Coding::Curve;

// Whether `large` can represent every number of `small`.
bool holds(SampleType large, SampleType small) {
  if (large == small || large == SampleType::f32) return true;
  return small == SampleType::u8 && (large == SampleType::u16 || large == SampleType::f16);
}

class Planner {
 public:
  Planner(const WriteRequest& request, const Origin* origin)
      : request_(request),
        info_(*request.info),
        origin_(origin),
        same_kind_(origin != nullptr && origin->info().file_format == info_.id) {}

  WritePlan plan() {
    out() = request_.format;
    if (request_.options.in_color && out().channels < 3) {
      out().channels += 2;
      more_colors_ = true;
    }
    check_size();
    choose_colours();
    choose_depth();
    choose_channels_held();
    choose_coding();
    say_other_coding();
    make_spec();
    carry_profile();
    carry_metadata();
    set_compression(plan_.spec, request_, out().type, same_kind_ ? &origin_->spec() : nullptr);
    carry_other_channels();
    carry_other_parts();
    plan_.format = out();
    if (plan_.to_srgb) {
      // Full depth, and the coding that the profile describes.
      if (plan_.ground) ++plan_.format.channels;
      plan_.format.type = SampleType::f32;
      plan_.format.alpha = plan_.format.channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
      plan_.format.coding = request_.format.coding;
    } else if (plan_.ground) {
      // Full depth: only the mixture is rounded to the file's samples.
      ++plan_.format.channels;
      plan_.format.type = SampleType::f32;
      plan_.format.alpha = AlphaKind::premultiplied;
      plan_.format.coding = Coding::linear();
    }
    return std::move(plan_);
  }

 private:
  PictureFormat& out() { return plan_.stored; }
  const PictureFormat& out() const { return plan_.stored; }
  void warn(Message sentence) { plan_.warnings.push_back(std::move(sentence)); }
  std::string target() const { return shown(request_.shown); }
  bool is(const char* id) const { return info_.id == id; }
  bool wants_srgb() const { return request_.options.profile == ProfileChoice::srgb; }

  void check_size() {
    const int most = is("webp") ? 16383 : is("jpeg") ? 65500 : 1 << 30;
    if (std::max(out().width, out().height) > most) {
      throw FileError(message({"format.too_large",
                               "{file}: {format} holds pictures of up to {most} pixels a side; "
                               "choose TIFF, PNG or OpenEXR"},
                              shown(request_.shown), info_.name, most));
    }
  }

  // Prepares the conversion from another profile to sRGB, if it is wanted.
  void choose_colours() {
    if (!wants_srgb() || origin_ == nullptr) return;
    const std::vector<unsigned char> profile = profile_of_origin();
    if (profile.empty() || is_srgb_profile(profile)) return;
    auto to_srgb = std::make_shared<const ToSrgb>(profile);
    converts_ = true;
    if (to_srgb->works()) {
      plan_.to_srgb = std::move(to_srgb);
    } else {
      warn(message({"profile.unusable",
                    "{file}: the colour profile cannot be used; the colours are taken for sRGB's"},
                   target()));
    }
  }

  // The input's profile; for OpenEXR made from its chromaticities.
  std::vector<unsigned char> profile_of_origin() const {
    if (!origin_->info().icc_profile.empty()) return origin_->info().icc_profile;
    constexpr TypeDesc eight(TypeDesc::FLOAT, 8);
    const OIIO::ParamValue* p = origin_->spec().find_attribute("chromaticities", eight);
    if (p == nullptr) return {};
    Primaries primaries;
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        primaries[i][k] = static_cast<double>(static_cast<const float*>(p->data())[2 * i + k]);
        if (std::abs(primaries[i][k] - srgb_primaries[i][k]) > 1e-3) same = false;
      }
    }
    return same ? std::vector<unsigned char>() : profile_of(primaries, Coding::linear());
  }

  void choose_depth() {
    const SampleType in = out().type;
    if (request_.options.bits) {
      out().type = *request_.options.bits;
      return;
    }
    out().type = info_.depths.back();
    for (const SampleType t : info_.depths) {
      if (!holds(t, in)) continue;
      out().type = t;
      break;
    }
    if (!holds(out().type, in)) {
      if (origin_ != nullptr && origin_->other_numbers()) {
        warn(message({"format.other_numbers",
                      "{file}: {format} cannot hold {numbers}; the picture is stored with {stored} "
                      "ones"},
                     target(), info_.name, *origin_->other_numbers(), depth_name(out().type)));
      } else {
        warn(message({"format.other_depth",
                      "{file}: {format} cannot hold {depth} numbers; the picture is stored with "
                      "{stored} ones"},
                     target(), info_.name, depth_name(in), depth_name(out().type)));
      }
    }
  }

  void choose_channels_held() {
    if (out().has_alpha() && !info_.alpha) {
      // As usual in photo tools: white paper for pictures, no light for linear data.
      const bool white = is_integer(out().type);
      plan_.ground = white ? 1.0f : 0.0f;
      warn(white ? message({"format.over_white",
                            "{file}: {format} cannot hold transparency; the picture is laid over "
                            "white"},
                           target(), info_.name)
                 : message({"format.over_black",
                            "{file}: {format} cannot hold transparency; the picture is laid over "
                            "black"},
                           target(), info_.name));
      out().alpha = AlphaKind::none;
      --out().channels;
    }
    if (!info_.gray && out().channels < 3) out().channels += 2;
    if (!out().has_alpha()) return;
    if (is("openexr")) out().alpha = AlphaKind::premultiplied;
    if (is("png") || is("webp")) out().alpha = AlphaKind::straight;
  }

  void choose_coding() {
    const bool in_integers = is_integer(request_.format.type);
    const bool out_integers = is_integer(out().type);
    const Coding in = request_.format.coding;
    const bool profile = origin_ != nullptr && !origin_->info().icc_profile.empty() && info_.icc &&
                         profile_fits() && request_.options.profile != ProfileChoice::strip;
    // A tone curve other than the format's usual one must be stated in the file.
    const bool said = profile || (is("png") && out_integers);
    const Coding usual = out_integers ? Coding::srgb() : Coding::linear();
    if (wants_srgb() && (converts_ || out_integers)) {
      out().coding = usual;
      return;
    }
    out().coding = in_integers == out_integers && said ? in : usual;
    // Integers without a profile are read as sRGB; only PNG can state another curve.
    if (out_integers && in_integers && !said && in == Coding::srgb()) out().coding = in;
  }

  // A gray profile does not describe colours.
  bool profile_fits() const {
    return out().color_channels() == 1 || !is_gray_profile(origin_->info().icc_profile);
  }

  // Warns if integers that only float can hold get another tone curve.
  void say_other_coding() {
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

  void make_spec() {
    ImageSpec& s = plan_.spec;
    s = ImageSpec(out().width, out().height, out().channels, type_desc(out().type));
    static const std::array<std::vector<std::string>, 4> names = {
        {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}}};
    s.channelnames = names[static_cast<std::size_t>(out().channels - 1)];
    s.alpha_channel = out().has_alpha() ? out().channels - 1 : -1;
    if (origin_ == nullptr || !same_kind_) {
      if (origin_ != nullptr) say_lost_window();
      return;
    }
    const ImageSpec& from = origin_->spec();
    if (is("openexr")) {
      if (!more_colors_) s.channelnames = origin_->info().channel_names;
      s.x = from.x;
      s.y = from.y;
      s.full_x = from.full_x;
      s.full_y = from.full_y;
      s.full_width = from.full_width;
      s.full_height = from.full_height;
    }
  }

  void say_lost_window() {
    const ImageSpec& f = origin_->spec();
    if (origin_->info().file_format == "openexr" &&
        (f.x != f.full_x || f.y != f.full_y || f.width != f.full_width ||
         f.height != f.full_height)) {
      warn(message({"format.no_window",
                    "{file}: {format} knows no display window; the file holds the data window "
                    "alone"},
                   target(), info_.name));
    }
  }

  void carry_profile() {
    if (converts_) {
      if (info_.icc && out().color_channels() == 3) embed(srgb_profile_with(out().coding));
      return;
    }
    if (origin_ == nullptr || origin_->info().icc_profile.empty()) return;
    std::vector<unsigned char> profile = origin_->info().icc_profile;
    const bool wanted = request_.options.profile != ProfileChoice::strip;
    if (!info_.icc || !wanted) {
      if (!has_srgb_primaries(profile)) {
        warn(wanted ? message({"format.no_profile",
                               "{file}: {format} cannot hold the colour profile; it is left out, "
                               "colours will look different elsewhere"},
                              target(), info_.name)
                    : message({"profile.left_out",
                               "{file}: the colour profile is not sRGB's; as it is left out, "
                               "colours will look different elsewhere"},
                              target()));
      }
      return;
    }
    // The tone curve is not lost: samples were converted to the format's usual one.
    if (!profile_fits()) return;
    // If the profile's curve is unknown to the engine, the picture was read with a guess. Samples
    // still fit the profile if they are written with the same guess.
    if (!(out().coding == request_.format.coding)) {
      profile = profile_with_coding(profile, out().coding);
      if (profile.empty()) {
        warn(message({"profile.does_not_fit",
                      "{file}: the colour profile does not fit {depth} numbers and is left out"},
                     target(), depth_name(out().type)));
        return;
      }
    }
    embed(profile);
  }

  void embed(const std::vector<unsigned char>& profile) {
    plan_.spec.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(profile.size())),
                         profile.data());
  }

  void carry_metadata() {
    ImageSpec& s = plan_.spec;
    const bool all = request_.options.keep_metadata;
    if (origin_ != nullptr && (info_.metadata || is("hdr"))) {
      copy_metadata(origin_->spec(), origin_->info().file_format, s, info_.id, all);
      if (!(out().coding == request_.format.coding)) s.erase_attribute("Exif:ColorSpace");
      if (converts_) s.erase_attribute("chromaticities");
      carry_bytes();
    }
    if (origin_ != nullptr && !info_.metadata) {
      if (all && loses_metadata(origin_->spec())) {
        warn(message({"format.no_metadata",
                      "{file}: {format} cannot hold the picture's metadata; it is left out"},
                     target(), info_.name));
      }
      if (origin_->info().orientation != 1) {
        s.erase_attribute("Orientation");
        warn(message({"format.no_orientation",
                      "{file}: {format} cannot say which side is up; the picture will lie as it is "
                      "stored"},
                     target(), info_.name));
      }
    }
    if (out().alpha == AlphaKind::straight) s.attribute("oiio:UnassociatedAlpha", 1);
    state_date();
    state_curve();
  }

  // OpenImageIO states the time of writing if there is no date: the same picture would be a
  // different file each time, and a file without metadata would reveal when it was made.
  void state_date() {
    const bool dated = is("tiff") || is("openexr");
    if (origin_ == nullptr || !dated || plan_.spec.find_attribute("DateTime") != nullptr) return;
    plan_.spec.attribute(
        "DateTime", request_.options.keep_metadata ? date_of(origin_->info().path) : unknown_date);
  }

  // Metadata that the file holds as bytes. OpenEXR and HDR only have attributes.
  void carry_bytes() {
    Metadata& m = plan_.metadata;
    if (request_.options.keep_metadata) {
      m = origin_->metadata();
    }
    if (is("openexr") || is("hdr")) {
      if (!m.xmp.empty() && is("openexr"))
        warn(message({"format.no_xmp",
                      "{file}: {format} cannot hold the picture's XMP metadata; it is left out"},
                     target(), info_.name));
      m = {};
      return;
    }
    const bool same_colors = !converts_ && out().coding == request_.format.coding;
    m.exif = merged(std::move(m.exif), plan_.spec, same_colors);
    if (is("webp") && !m.iptc.empty()) {
      m.iptc.clear();
      warn(message({"format.no_iptc",
                    "{file}: {format} cannot hold the picture's IPTC metadata; it is left out"},
                   target(), info_.name));
    }
    if (is("jpeg")) {
      if (m.iptc.empty() && m.xmp.empty()) m.iptc = iptc_of(plan_.spec);
      const std::string lost = fit_jpeg(m);
      if (!lost.empty()) {
        warn(
            message({"format.jpeg_metadata",
                     "{file}: JPEG cannot hold all of the picture's metadata; what is too long for "
                     "it is left out ({parts})"},
                    target(), lost));
      }
      keep_only_storage(plan_.spec);
    }
  }

  void state_curve() {
    ImageSpec& s = plan_.spec;
    if (s.find_attribute("ICCProfile") != nullptr) return;  // the profile states it
    if (is("png")) {
      if (out().coding.curve == Curve::gamma) {
        std::array<char, 32> name{};
        std::snprintf(name.data(), name.size(), "Gamma%.4g",
                      static_cast<double>(out().coding.gamma));
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

  void carry_other_channels() {
    if (origin_ == nullptr) return;
    const ImageSpec& from = origin_->spec();
    const auto& chosen = origin_->choice().channels;
    const int others = from.nchannels - static_cast<int>(chosen.size());
    if (others <= 0) return;
    bool can = same_kind_ && !more_colors_ && (is("openexr") || is("tiff"));
    // All channels of a TIFF file have one type.
    if (is("tiff") && can) can = from.format == plan_.spec.format;
    if (!can) {
      warn(others == 1 ? message({"format.one_channel_lost",
                                  "{file}: 1 other channel of the input cannot be kept in this "
                                  "file"},
                                 target())
                       : message({"format.channels_lost",
                                  "{file}: {count} other channels of the input cannot be kept in "
                                  "this file"},
                                 target(), others));
      return;
    }
    ImageSpec& s = plan_.spec;
    plan_.merge = true;
    s.nchannels = from.nchannels;
    s.channelnames = from.channelnames;
    s.alpha_channel = from.alpha_channel;
    if (is("tiff")) return;
    s.channelformats.clear();
    for (int c = 0; c < from.nchannels; ++c) s.channelformats.push_back(from.channelformat(c));
    for (const int c : chosen) {
      s.channelformats[static_cast<std::size_t>(c)] = type_desc(out().type);
    }
  }

  void carry_other_parts() {
    if (origin_ == nullptr) return;
    const auto& parts = origin_->parts();
    if (same_kind_ && is("openexr") && parts.size() > 1) {
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
          plan_.parts.push_back(copied_spec(parts[i], info_.id));
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
    if (!origin_->has_more_pages()) return;
    plan_.copy_pages = same_kind_ && is("tiff");
    warn(plan_.copy_pages
             ? message({"format.first_page",
                        "{file}: only the first page was filtered; the other pages are copied"},
                       target())
             : message({"format.first_picture",
                        "{file}: only the first of the input's pictures is read and written"},
                       target()));
  }

  static void name_part(ImageSpec& to, const ImageSpec& from) {
    const std::string name = part_name(from);
    if (!name.empty()) to.attribute("oiio:subimagename", name);
  }

  const WriteRequest& request_;
  const FormatInfo& info_;
  const Origin* origin_;
  bool same_kind_;
  bool more_colors_ = false;  // than the input has
  bool converts_ = false;     // to sRGB's colours
  WritePlan plan_;
};

}  // namespace

WritePlan plan_file(const WriteRequest& request, const Origin* origin) {
  return Planner(request, origin).plan();
}

ImageSpec copied_spec(const ImageSpec& from, const std::string& kind) {
  ImageSpec to = from;
  to.extra_attribs.clear();
  copy_metadata(from, kind, to, kind, true);
  for (const char* name : {"ICCProfile", "compression", "oiio:UnassociatedAlpha",
                           "oiio:subimagename", "oiio:ColorSpace"}) {
    if (const OIIO::ParamValue* p = from.find_attribute(name)) to.extra_attribs.push_back(*p);
  }
  const std::string compression(from.get_string_attribute("compression"));
  if (kind == "tiff") {
    if (compression != "none" && compression != "lzw" && compression != "packbits") {
      to.attribute("compression",
                   "zip");  // the samples were decoded; lossy compression would lose more
    }
    if (from.format == TypeDesc::HALF) to.attribute("tiff:half", 1);
    const int bits = from.get_int_attribute("oiio:BitsPerSample");
    if (bits > 8 && bits < 16) to.attribute("oiio:BitsPerSample", bits);
    to.attribute("planarconfig", "contig");
  }
  to.tile_width = to.tile_height = to.tile_depth = 0;
  return to;
}

}  // namespace sfumato::files
