// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What OpenImageIO does not read of a file's description, or reads wrongly, and its profile.
#include "io/module/camera_raw.hpp"
#include "io/module/embedded.hpp"
#include "io/module/input.hpp"
#include "io/module/jpeg2000.hpp"
#include "io/module/radiance.hpp"
#include "io/module/targa_area.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

// What passes from process to process at once is 8 MiB, with room for other things in it.
constexpr std::size_t longest_profile = std::size_t{7} << 20;

std::vector<unsigned char> profile_of_attribute(const ImageSpec& spec) {
  const OIIO::ParamValue* p = spec.find_attribute("ICCProfile");
  if (p == nullptr || p->type().basetype != TypeDesc::UINT8) return {};
  const auto* bytes = static_cast<const unsigned char*>(p->data());
  return {bytes, bytes + p->datasize()};
}

}  // namespace

void FilePicture::complete(ImageSpec& s) const {
  if (info_.file_format == "jpeg2000") {
    read_jp2_boxes(info_.path, s);
    read_jpeg2000_comments(info_.path, s);
  }
  if (info_.file_format == "hdr") read_radiance(info_.path, s);
  if (info_.file_format == "png") {
    remove_posing_texts(info_.path, s);
    read_png_exif(info_.path, s);
    leave_out_full_opacity(info_.path, s);
    read_png_chunks(info_.path, s);
  }
  if (info_.file_format == "heif") {
    read_heif_properties(info_.path, s);
    const std::string others = attached_in_heif(info_.path).others;
    if (!others.empty()) s.attribute(other_data, others);
  }
  if (info_.file_format == "targa") {
    settle_targa_channels(info_.path, s);
    read_targa_area(info_.path, s);
  }
  if (info_.file_format == "raw") settle_raw(s);
  if (info_.file_format == "dpx") read_dpx_header(info_.path, s);
  if (info_.file_format == "jpeg") {
    read_jpeg_comments(info_.path, page_, s);
    if (const std::string others = others_in_jpeg(info_.path, page_); !others.empty()) {
      s.attribute(other_data, others);
    }
  }
  if (info_.file_format == "tiff") {
    name_gray_channels(s);
    const std::string unread = unread_tags_in_tiff(info_.path, s);
    if (!unread.empty()) s.attribute("sfumato:others", unread);
  }
  make_texts_utf8(s);
  settle_resolution(info_.file_format, info_.path, page_, s);
  if (info_.file_format == "png") s.attribute("sfumato:frames", frames_of_png(info_.path));
  if (info_.file_format == "heif") s.attribute("sfumato:frames", frames_of_heif(info_.path));
}

void FilePicture::find_profile() {
  info_.icc_profile = info_.file_format == "bmp"   ? profile_in_bmp(info_.path)
                      : info_.file_format == "gif" ? profile_in_gif(info_.path)
                                                   : profile_of_attribute(spec());
  if (info_.file_format == "jpeg") {
    Bytes in = opened_jpeg(info_.path, page_);
    info_.icc_profile = profile_in_jpeg(in);
    info_.jpeg_quality = jpeg_quality(info_.path, begin_);
  }
  const bool png_without = info_.file_format == "png" && info_.icc_profile.empty();
  const bool refused = png_without && has_profile_in_png(info_.path);
  if (png_without && !refused) info_.icc_profile = raw_profile_in_png(info_.path);
  if (refused) {
    warn(message({"profile.refused",
                  "{file}: the colour profile is damaged or none for such a picture, and left out; "
                  "the colours are taken for sRGB's"},
                 shown(info_.path)));
  }
  if (!info_.icc_profile.empty() && !is_whole_profile(info_.icc_profile)) {
    info_.icc_profile.clear();
    warn(message({"profile.damaged",
                  "{file}: the colour profile is damaged and left out; the colours are taken for "
                  "sRGB's"},
                 shown(info_.path)));
  }
  if (info_.icc_profile.size() > longest_profile) {
    info_.icc_profile.clear();
    warn(message({"profile.too_long",
                  "{file}: the colour profile is too long and left out; the colours are taken for "
                  "sRGB's"},
                 shown(info_.path)));
  }
}

}  // namespace sfumato::files
