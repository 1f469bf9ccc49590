// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Decides on what only some formats hold: PNG's chunks, TIFF's tags, texts in several languages.
#include <algorithm>
#include <array>
#include <string_view>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
#include "io/module/planner.hpp"
#include "io/module/targa_area.hpp"

namespace sfumato::files {

using OIIO::ImageSpec;
using namespace std::string_view_literals;

namespace {

// "bKGD, oFFs".
std::string joined(const std::string& names, const std::string& more) {
  return names.empty() || more.empty() ? names + more : names + ", " + more;
}

// The first of many names.
std::string shortened(const std::string& names) {
  constexpr int most = 20;
  std::size_t end = 0;
  for (int i = 0; i < most && end != std::string::npos; ++i) end = names.find(", ", end + 1);
  return end == std::string::npos ? names : names.substr(0, end) + ", …";
}

}  // namespace

// Whether the mastering display and the light level are true of the new file, which is so if its
// colours and their curve are the input's.
bool Planner::keeps_light() const {
  if (origin_->numbers().curve != HdrCurve::none) return plan_.hdr != HdrCurve::none;
  return !converts_ && !nameless_ && out().coding == request_.format.coding;
}

// Lines for formats that have no other place for texts; author and title with `all`.
std::string Planner::texts(bool all) const {
  const ImageSpec s = described();
  const Exif& exif = origin_->metadata().exif;
  std::string out = texts_in_lines(s, all ? title_of(s, exif) : "", all);
  for (const std::string& one : {utf8_of(s.get_string_attribute(targa_id)), comment_of(exif)}) {
    if (out.find(one) == std::string::npos) out.append(out.empty() ? "" : "\n").append(one);
  }
  return out;
}

// Comments of the file's own stay such where the format has some, and do not go into EXIF. A
// codestream of JPEG 2000 has no other place for texts.
void Planner::carry_own_comment() {
  const ImageSpec& from = origin_->spec();
  ImageSpec& to = plan_.spec;
  const std::string own =
      is(FileKind::codestream) ? texts(true) : std::string(from.get_string_attribute(own_comment));
  if (own.empty()) return;
  if (is(FileKind::codestream)) {
    const std::size_t end = end_of_characters(own, most_jpeg2000_comment);
    to.attribute(own_comment, own.substr(0, end));
    if (end < own.size()) say_cut_texts();
    return;
  }
  if (is(FileKind::jpeg)) {
    plan_.chunks = own;
  } else if (is(FileKind::jpeg2000) && own.size() <= most_jpeg2000_comment) {
    to.attribute(own_comment, own);
  } else {
    return;
  }
  for (const char* name : {"ImageDescription", "Comment"}) {
    if (to.get_string_attribute(name) == own) to.erase_attribute(name);
  }
}

// Comments in files without other metadata.
void Planner::carry_comments() {
  const ImageSpec& from = origin_->spec();
  if (!request_.options.keep_metadata) return;
  carry_own_comment();
  const std::string id(from.get_string_attribute(targa_id));
  ImageSpec& to = plan_.spec;
  if (is(FileKind::targa) && same_kind_) {
    if (!id.empty()) to.attribute(targa_id, id);
    return;
  }
  if (is(FileKind::pnm)) to.attribute("ImageDescription", texts(true));
  if (id.empty() || !info_.metadata) return;
  const bool described = to.find_attribute("ImageDescription") != nullptr;
  to.attribute(described ? "Comment" : "ImageDescription", utf8_of(id));
}

// What our writer of HEIF takes as an attribute.
void Planner::carry_shape() {
  if (origin_ == nullptr || !is_stretched(origin_->spec())) return;
  if (is(FileKind::heif)) {
    plan_.spec.attribute("PixelAspectRatio", static_cast<float>(pixel_aspect(origin_->spec())));
  }
}

// TGA's extension area; that of another file goes into it as it is.
void Planner::carry_targa() {
  if (!is(FileKind::targa)) return;
  const bool all = origin_ != nullptr && request_.options.keep_metadata;
  bool cut = false;
  if (origin_ != nullptr && same_kind_) {
    plan_.chunks = carried_targa_area(described(), all, same_colors());
  } else {
    ImageSpec said = all ? described() : ImageSpec();
    if (all) said.attribute("DocumentName", title_of(said, origin_->metadata().exif));
    plan_.chunks = targa_area_of(said, all ? texts(false) : std::string(), cut);
  }
  const bool stretched = origin_ != nullptr && is_stretched(origin_->spec());
  plan_.chunks = finished_targa_area(
      std::move(plan_.chunks), stretched ? pixel_aspect(origin_->spec()) : 0, out().has_alpha());
  if (cut) say_cut_texts();
}

void Planner::say_cut_texts() {
  warn(message({"format.cut_texts",
                "{file}: the picture's texts are too long for {format}; what does not fit is cut "
                "off"},
               target(), info_.name));
}

void Planner::carry_light() {
  if (origin_ == nullptr || !is(FileKind::heif) || !keeps_light()) return;
  for (const char* name : {mastering_display, light_level}) {
    if (const std::string said = bytes_in(origin_->spec(), name); !said.empty()) {
      put_bytes(plan_.spec, name, said);
    }
  }
}

// What only TIFF holds: the new file's picture is no smaller copy and no mask.
void Planner::carry_tags() {
  TiffEntries& tags = plan_.metadata.tags;
  if (!is(FileKind::tiff)) return tags.clear();
  set_subfile_type(tags, plan_.copy_pages ? subfile_type_in(tags) & subfile_page : 0);
  // OpenImageIO calls three channels and more red, green and blue.
  if (plan_.merge && out().color_channels() < 3) {
    set_gray_samples(tags, plan_.spec, out().alpha == AlphaKind::straight);
  }
  if (!plan_.metadata.tags_are_cut) return;
  warn(message({"file.tags_cut",
                "{file}: some of its private tags point at other data or are too long, and are "
                "left out"},
               shown(origin_->info().path)));
}

std::string Planner::chunks_about_light() const {
  return keeps_light() ? light_chunks(origin_->spec()) : std::string();
}

// What a PNG file says besides texts goes into another one as it is, if it is true of that.
void Planner::carry_chunks() {
  const ImageSpec& from = origin_->spec();
  if (is(FileKind::png)) plan_.chunks += chunks_about_light();
  if (origin_->kind() != FileKind::png || !request_.options.keep_metadata) return;
  std::string lost(from.get_string_attribute("sfumato:png_lost"));
  const std::string kept(from.get_string_attribute("sfumato:png_kept"));
  std::string ground;
  if (is(FileKind::png)) {
    plan_.chunks += changed_chunks(pixel_change(), bytes_in(from, "sfumato:png_chunks"));
    if (same_colors()) {
      ground = ground_chunk(from, out().color_channels(), out().type == SampleType::u8);
    }
    plan_.chunks += ground;
  } else {
    lost = joined(kept, lost);
  }
  // There, EXIF's date is another one.
  const bool dated = row_of(Property::exif).kept.has(writer_) && !is(FileKind::png);
  if (dated && from.get_int_attribute(other_png_date) != 0) lost = joined("tIME", lost);
  if (ground.empty() && from.find_attribute("sfumato:png_ground") != nullptr) {
    lost = joined("bKGD", lost);
  }
  if (lost.empty()) return;
  lost = shortened(lost);
  warn(is(FileKind::png)
           ? message({"format.untrue_chunks",
                      "{file}: left out, since it may not be true of the new picture: what the "
                      "chunks {chunks} say"},
                     target(), lost)
           : message({"format.no_chunks",
                      "{file}: left out, since {format} cannot hold it: what the chunks {chunks} "
                      "of the PNG file say"},
                     target(), info_.name, lost));
}

// Other formats hold one text of a kind.
void Planner::say_other_texts() {
  // Where there is no place for texts, the loss of comments is named.
  const bool holds_texts = !drops(Property::comments);
  std::string others(holds_texts ? origin_->spec().get_string_attribute("sfumato:other_texts")
                                 : "");
  if (!is(FileKind::openexr)) {
    others = joined(others,
                    std::string(origin_->spec().get_string_attribute("sfumato:attribute_texts")));
  }
  // EXIF has one comment, and that is the file's own; JPEG has comments of its own, too.
  constexpr FileKinds of_exif(FileKind::tiff, FileKind::webp, FileKind::heif, FileKind::jpeg2000);
  if (of_exif.has(writer_) && !comment_of(origin_->metadata().exif).empty()) {
    others = joined(others, names_of_texts(origin_->spec()));
  }
  if (is(FileKind::png) && origin_->kind() == FileKind::png) {
    others = origin_->spec().get_string_attribute(uncarried_texts);
  }
  if (others.empty()) return;
  warn(message({"format.other_texts",
                "{file}: left out, since {format} has no place for them beside others: the texts "
                "{texts}"},
               target(), info_.name, shortened(others)));
}

// Texts of OpenEXR's attributes that are neither EXIF's nor comments, and what is called EXIF's,
// but is none of its entries.
void Planner::say_texts_without_place() {
  constexpr std::array known = {"exif:"sv, "gps:"sv, "oiio:"sv, "sfumato:"sv, "openexr:"sv};
  if (origin_->kind() != FileKind::openexr) return;
  const bool holds_iptc = row_of(Property::iptc).kept.has(writer_);
  std::string names;
  for (const OIIO::ParamValue& p : origin_->spec().extra_attribs) {
    const std::string name = lower(p.name().string());
    const bool is_known = std::any_of(known.begin(), known.end(), [&](std::string_view family) {
      return name.rfind(family, 0) == 0;
    });
    const bool iptc = name == "keywords" || name.rfind("iptc:", 0) == 0;
    const bool text = p.type() == OIIO::TypeDesc::STRING;
    const bool texts = p.type().basetype == OIIO::TypeDesc::STRING && name != "multiview";
    if (is_known || !(texts || iptc)) continue;
    // Lists, and numbers that XMP gave, have none.
    const bool has_place =
        text && (iptc ? holds_iptc : place_of_text(name) != TextPlace::attribute);
    if (has_place) continue;
    names = joined(names, p.name().string());
  }
  if (row_of(Property::exif).kept.has(writer_)) {
    Exif none;
    for (const std::string& one : put_attributes(none, origin_->spec())) {
      names = joined(names, one);
    }
  }
  if (names.empty()) return;
  warn(message({"format.texts_without_place",
                "{file}: left out, since {format} has no place for them: the attributes {names} of "
                "the OpenEXR file"},
               target(), info_.name, shortened(names)));
}

// OpenEXR's attributes of any type.
void Planner::say_lost_attributes() {
  std::string lost;
  if (same_kind_) {
    for (const ImageSpec& part : origin_->parts()) {
      lost = joined(lost, lost_exr_attributes(part, false));
    }
  } else {
    lost = lost_exr_attributes(origin_->spec(), true);
  }
  if (!same_kind_) say_texts_without_place();
  if (lost.empty()) return;
  warn(message({"format.unread_attributes",
                "{file}: left out, since nothing is known of what they say: the attributes "
                "{names} of the OpenEXR file"},
               target(), shortened(lost)));
}

}  // namespace sfumato::files
