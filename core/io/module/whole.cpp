// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much memory those decoders take that hold the whole picture, and whether it is whole.
#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "io/jpeg_head.hpp"
#include "io/module/bytes.hpp"
#include "io/module/input.hpp"
#include "io/module/parts.hpp"
#include "io/module/psd.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

// Decoded row by row, or in strips.
constexpr std::array in_strips = {"jpeg"sv, "png"sv, "tiff"sv,   "openexr"sv, "netpbm"sv,
                                  "hdr"sv,  "dpx"sv, "cineon"sv, "fits"sv};

// Interlaced PNG files say so in their header's last byte.
bool is_interlaced(const std::filesystem::path& path) {
  constexpr std::streamoff interlace = 28;
  std::ifstream file(path, std::ios::binary);
  return file.seekg(interlace) && file.get() == 1;
}

// The file and the picture are held, or two canvases of frames after the first. libwebp decodes
// what is not lossy, which opacity seldom is, to at most four bytes a pixel first.
std::size_t working_bytes_of_webp(const std::filesystem::path& path, const OIIO::ImageSpec& s,
                                  bool frames) {
  constexpr std::size_t argb = 4;
  const Bytes file(path, false);
  const bool lossless = s.get_string_attribute("compression") == "lossless",
             alpha = s.nchannels == 4;
  std::size_t bytes = frames ? 2 * argb : static_cast<std::size_t>(s.nchannels);
  if (lossless || alpha) bytes += argb;
  if (!lossless && alpha) ++bytes;
  return static_cast<std::size_t>(s.image_pixels()) * bytes + static_cast<std::size_t>(file.size());
}

}  // namespace

std::size_t FilePicture::find_working_bytes() const {
  const OIIO::ImageSpec& s = spec();
  const std::size_t samples = static_cast<std::size_t>(s.width) *
                              static_cast<std::size_t>(s.height) *
                              static_cast<std::size_t>(s.nchannels);
  if (const auto* known = dynamic_cast<const KnownMemory*>(in_.get())) {
    return known->working_bytes();
  }
  if (info_.file_format == "jpeg") {
    const auto head = jpeg_head(info_.path, begin_);
    return head ? head->coefficient_bytes() : 0;
  }
  if (info_.file_format == "webp") return working_bytes_of_webp(info_.path, s, page_ > 0);
  // A row as it is stored, and as whole numbers.
  if (info_.file_format == "bmp") return 8 * static_cast<std::size_t>(s.width);
  if (info_.file_format == "png") return is_interlaced(info_.path) ? samples * s.format.size() : 0;
  if (std::find(in_strips.begin(), in_strips.end(), info_.file_format) != in_strips.end()) return 0;
  // Raw files: the sensor's values, and the colours made from them. Others: once as coded and once
  // as colours.
  return samples * (info_.file_format == "raw" ? 6 : 2 * s.format.size());
}

void FilePicture::check_whole() const {
  const OIIO::ImageSpec& s = spec();
  if (s.get_int_attribute("sfumato:short") != 0 || is_cut_without_error()) {
    throw FileError(message({"file.cut_short",
                             "{file}: the file is cut short: {width}x{height} pixels are promised, "
                             "but not all are there; make it again"},
                            shown(info_.path), s.width, s.height));
  }
  const auto head = trouble_.empty() ? std::nullopt : jpeg_head(info_.path, begin_);
  if (head && head->progressive) {
    throw FileError(
        message({"file.damaged_scans", "{file}: the file is damaged ({reason}); make it again"},
                shown(info_.path), complaint(nullptr, trouble_)));
  }
  if (s.get_int_attribute(psd_without_merged) != 0) {
    throw FileError(message({"psd.no_merged",
                             "{file}: the file holds its layers, but not the picture that they "
                             "make together; save it with “Maximize compatibility”, or choose a "
                             "layer (--page 2 and on)"},
                            shown(info_.path)));
  }
}

// Such a file is decoded without an error if only its later scans are missing, or if it is one of
// several pictures, which are decoded from memory.
bool FilePicture::is_cut_without_error() const {
  if (info_.file_format != "jpeg") return false;
  const auto head = jpeg_head(info_.path, begin_);
  return head && (head->progressive || page_ > 0) && !jpeg_is_whole(info_.path, begin_);
}

}  // namespace sfumato::files
