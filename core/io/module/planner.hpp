// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Makes the plan of a file to be written, step by step.
#pragma once

#include "io/module/output.hpp"
#include "io/module/pixel_change.hpp"

namespace sfumato::files {

class Planner {
 public:
  Planner(const WriteRequest& request, const Origin* origin)
      : request_(request),
        info_(*request.info),
        writer_(file_kind(info_.id)),
        origin_(origin),
        same_kind_(origin != nullptr && origin->info().file_format == info_.id) {}

  WritePlan plan();

 private:
  PictureFormat& out() { return plan_.stored; }
  const PictureFormat& out() const { return plan_.stored; }
  void warn(Message sentence) { plan_.warnings.push_back(std::move(sentence)); }
  std::string target() const { return shown(request_.shown); }
  bool is(FileKind kind) const { return writer_ == kind; }
  bool wants_srgb() const { return request_.options.profile == ProfileChoice::srgb; }
  Treatment treatment_of(Property property) const {
    return treatment(property, origin_->kind(), writer_);
  }
  bool drops(Property property) const { return treatment_of(property) == Treatment::dropped; }
  /// Whether the same numbers mean the same colours in both files.
  bool same_colors() const { return !converts_ && out().coding == request_.format.coding; }

  // What the pixels are (plan.cpp).
  void check_size() const;
  void choose_depth();
  void say_other_depth(SampleType wanted);
  int own_bits() const;
  void choose_bits();
  std::string stored_depth() const;
  void choose_hdr();
  void choose_channels_held();
  void choose_coding();
  void say_other_coding();
  void deliver();
  void make_spec();
  void say_lost_window();
  void carry_other_channels();
  Message why_channels_are_lost() const;
  void say_lost_channels();
  void carry_other_parts();
  void carry_layer();
  void say_other_pages();
  void make_room_for_pages();

  // In another size (plan_size.cpp).
  bool is_resized() const;
  double factor() const;
  void place_windows(const OIIO::ImageSpec& from, OIIO::ImageSpec& to) const;
  OIIO::ImageSpec resized_part(const OIIO::ImageSpec& from) const;
  PixelChange pixel_change() const;
  /// What the input says, with sizes and places as the result has them.
  OIIO::ImageSpec described() const;
  void settle_size(Metadata& metadata);
  void settle_attributes();

  // What they mean (plan_meaning.cpp).
  void choose_colours();
  bool profile_fits() const;
  bool holds_profile() const;
  void carry_profile();
  void say_lost_profile();
  void carry_primaries();
  void carry_cicp();
  void carry_hdr_profile();
  void embed(const std::vector<unsigned char>& profile);
  void state_numbers(const std::array<unsigned char, 4>& cicp);
  void fit_metadata(Metadata& metadata);
  void carry_metadata();
  void carry_description(bool all);
  void say_lost_orientation();
  void say_rounded_resolution();
  OIIO::ImageSpec turned() const;
  void carry_header(bool all);
  void state_date();
  void carry_bytes();
  void say_unread_metadata();
  void carry_attributes(const Metadata& metadata);
  void say_lost_colors(const Exif& exif);
  void say_exif_beside(const std::string& names);
  void state_curve();

  // What the format cannot hold (plan_dropped.cpp).
  bool has_meaning(Property property) const;
  bool has_metadata(Property property) const;
  bool has_own_metadata(Property property) const;
  bool loses(Property property) const;
  void say_dropped(bool all);

  // What only some formats hold (plan_carried.cpp).
  bool keeps_light() const;
  void carry_chunks();
  std::string texts(bool all) const;
  void carry_comments();
  void carry_own_comment();
  void carry_tags();
  void carry_shape();
  void carry_targa();
  void carry_light();
  std::string chunks_about_light() const;
  void say_other_texts();
  void say_lost_attributes();
  void say_texts_without_place();
  void say_cut_texts();

  const WriteRequest& request_;
  const FormatInfo& info_;
  FileKind writer_;
  const Origin* origin_;
  bool same_kind_;
  bool more_colors_ = false;  // than the input has
  bool converts_ = false;     // to sRGB's colours
  bool nameless_ = false;     // the file cannot say which colours it holds, and they are not sRGB's
  int bits_ = 0;              // of HEIF's samples, if these have more than 8
  WritePlan plan_;
};

/// Names one after the other.
Message listed(const std::vector<Message>& names);
/// Whether there is more of IPTC than what EXIF says, too.
bool has_iptc(const OIIO::ImageSpec& spec);

}  // namespace sfumato::files
