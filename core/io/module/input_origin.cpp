// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture's file as the origin of another one: what is copied, and its colour profile.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "image/parallel_rows.hpp"
#include "io/module/camera_raw.hpp"
#include "io/module/embedded.hpp"
#include "io/module/input.hpp"
#include "io/module/pixel_change.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

// What a packet says about the filtered picture, too.
std::string carried_xmp(const std::string& packet) {
  return without_notes(without_attached(without_thumbnails(packet)));
}

// What libheif and LibRaw do to the samples.
PixelChange change_by_reader(const PictureInfo& info, const ImageSpec& s) {
  const PictureSize shown{s.width, s.height};
  if (info.file_format == "heif") {
    return change_in_heif(info.path, static_cast<std::uint32_t>(s.get_int_attribute(heif_item)));
  }
  if (info.file_format != "raw") return no_change(shown);
  const int orientation = orientation_in_raw(info.path);
  constexpr int first_lying = 5;
  return turning(orientation < first_lying ? shown : PictureSize{s.height, s.width}, orientation);
}

// What the file says of its samples becomes true of the picture that a library makes of them.
void follow_reader(const PictureInfo& info, OriginDescription& d) {
  ImageSpec& s = d.parts.front();
  const PixelChange change = change_by_reader(info, s);
  if (change.is_none() || change.to != PictureSize{s.width, s.height}) return;
  change_pixels(change, d.metadata.exif);
  change_pixels(change, s);
  d.metadata.xmp = changed_xmp(change, d.metadata.xmp);
  if (!change.exchanges()) return;
  const float x = s.get_float_attribute("XResolution"), y = s.get_float_attribute("YResolution");
  if (x > 0 && y > 0) {
    s.attribute("XResolution", y);
    s.attribute("YResolution", x);
  }
  const float aspect = s.get_float_attribute("PixelAspectRatio");
  if (aspect > 0) s.attribute("PixelAspectRatio", 1 / aspect);
}

// Leaves out what is too long to be passed on at once.
void leave_out_long(OriginDescription& d) {
  constexpr std::size_t most = std::size_t{1} << 16;
  for (ImageSpec& s : d.parts) {
    auto& all = s.extra_attribs;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const OIIO::ParamValue& p) {
                               const bool text = p.type() == OIIO::TypeDesc::STRING;
                               return (text ? p.get_ustring().size()
                                            : static_cast<std::size_t>(p.datasize())) > most;
                             }),
              all.end());
  }
  Metadata& m = d.metadata;
  for (TiffEntries* entries : {&m.exif.image, &m.exif.photo, &m.exif.gps, &m.tags}) {
    std::erase_if(*entries, [](const auto& one) { return one.second.value.size() > most; });
  }
  for (std::string* bytes : {&m.iptc, &m.resources, &m.xmp}) {
    if (bytes->size() > most) bytes->clear();
  }
  m.texts_are_cut = true;
}

}  // namespace

const std::string& FilePicture::description() {
  if (description_.empty()) {
    OriginDescription d{parts_,
                        choice_,
                        other_numbers_,
                        more_pages_,
                        metadata_in(info_.file_format, info_.path, spec(), page_),
                        numbers_,
                        facts_of(info_.icc_profile)};
    Metadata& m = d.metadata;
    const std::string packet = std::exchange(m.xmp, carried_xmp(m.xmp));
    const std::string cleaned = m.xmp;
    follow_reader(info_, d);
    for (ImageSpec& s : d.parts) {
      s.erase_attribute("ICCProfile");  // info() has it
      forget_attached(packet, cleaned, s);
    }
    // Whose IPTC OpenImageIO does not read.
    const bool hidden =
        info_.file_format == "jpeg" && has_hidden_resources(opened_jpeg(info_.path, page_));
    if (hidden || info_.file_format == "png" || info_.file_format == "psd" ||
        info_.file_format == "raw") {
      OIIO::decode_iptc_iim(d.metadata.iptc.data(), static_cast<int>(d.metadata.iptc.size()),
                            d.parts.front());
      make_texts_utf8(d.parts.front());
    }
    complete_copyright(m.exif, d.parts.front());
    settle_date(info_.file_format, info_.path, m, d.parts.front());
    note_iptc(m.iptc, d.parts.front());
    note_exif(m.exif, d.parts.front());
    description_ = packed(d);
    if (description_.size() > longest_description) {
      leave_out_long(d);
      description_ = packed(d);
    }
  }
  return description_;
}

OIIO::ImageInput& FilePicture::second_reader() {
  if (!second_) second_ = reopen();
  return *second_;
}

void FilePicture::throw_not_copied(const PageFault& fault) const {
  throw FileError(message({"file.page_not_copied",
                           "{file}: page {page} cannot be copied as it is ({reason}); filter pages "
                           "one by one (--page, --pages)"},
                          shown(info_.path), copied_page_, fault.message()));
}

PageCopy FilePicture::begin_page(int number, const PagePlace& to) try {
  if (info_.file_format != "tiff") return PageCopy::none;
  Bytes in(info_.path, false);
  if (!pages_) {
    pages_ = pages_in_tiff(in).directories;
    move_main_to_front(in, *pages_);
  }
  if (number < 1 || static_cast<std::size_t>(number) >= pages_->size()) return PageCopy::none;
  const std::uint64_t place = (*pages_)[static_cast<std::size_t>(number)];
  TiffDirectory directory(in);
  directory.go_to(in, place);
  // Those of the filtered picture come before any other page.
  const bool reduced = (subfile_bits(in, directory) & subfile_reduced) != 0;
  if (reduced && copied_page_ == 0) return PageCopy::left_out;
  copied_page_ = number + 1;
  page_copy_ = std::make_unique<TiffPageCopy>(info_.path, place, to);
  // Pages may share bytes, but a small file must not become one that fills the disk.
  constexpr std::uint64_t most = std::uint64_t{1} << 28;
  copied_bytes_ += page_copy_->bytes();
  if (copied_bytes_ > most + 4 * in.size()) throw_page_too_large();
  return PageCopy::copied;
} catch (const PageFault& fault) {
  throw_not_copied(fault);
}

PagePiece FilePicture::next_of_page() try {
  if (!page_copy_) throw std::logic_error("no page is copied");
  return page_copy_->next();
} catch (const PageFault& fault) {
  throw_not_copied(fault);
}

void FilePicture::read_native(int part, int y0, int y1, void* to, std::size_t bytes) {
  OIIO::ImageInput& in = second_reader();
  const int number = number_of(part);
  const ImageSpec s = in.spec(number);
  const bool fits =
      y0 >= 0 && y0 < y1 && y1 <= s.height &&
      static_cast<std::size_t>(s.scanline_bytes(true)) * static_cast<std::size_t>(y1 - y0) == bytes;
  if (fits && read_native_rows(in, number, s, y0, y1, to)) return;
  throw FileError(message({"file.not_copied",
                           "{file}: what the filter leaves alone cannot be copied ({reason}); the "
                           "file is damaged, make it again"},
                          shown(info_.path), complaint_of(in)));
}

std::vector<unsigned char> FilePicture::profile_with(const ProfileCurve& curve) {
  const HdrCurve hdr = hdr_numbered(curve.transfer);
  if (hdr == HdrCurve::none) return profile_with_coding(info_.icc_profile, curve.coding);
  return with_hdr_curve(info_.icc_profile, hdr, static_cast<unsigned char>(curve.primaries));
}

bool FilePicture::can_convert_colors() {
  if (!to_srgb_) to_srgb_ = std::make_unique<ToSrgb>(info_.icc_profile);
  return to_srgb_->works();
}

void FilePicture::convert_colors(float* pixels, std::size_t count) {
  if (!can_convert_colors()) throw std::logic_error("the profile cannot be used");
  constexpr std::size_t block = 4096;
  const std::size_t blocks = (count + block - 1) / block;
  ParallelRows().run(0, static_cast<int>(blocks), [&](int i) {
    const std::size_t begin = static_cast<std::size_t>(i) * block;
    to_srgb_->run(pixels + 4 * begin, static_cast<int>(std::min(block, count - begin)));
  });
}

}  // namespace sfumato::files
