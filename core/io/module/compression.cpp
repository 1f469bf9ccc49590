// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How the pixels of a file to be written are compressed.
#include <string>

#include "io/module/output.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

// The default, 6, takes four times as long to save 5 % on photographs.
constexpr int fast_deflate = 4;

std::string attribute_of(const ImageSpec* original, const char* name) {
  return original != nullptr ? std::string(original->get_string_attribute(name)) : "";
}

// Colours are stored in full, whatever the input's: filtered edges would lose theirs.
void set_jpeg(ImageSpec& s, int quality) {
  s.attribute("compression", "jpeg:" + std::to_string(quality > 0 ? quality : 95));
  s.attribute("jpeg:subsampling", "4:4:4");
}

int quality_of(const WriteRequest& request) {
  const int quality = request.options.quality;
  if (quality != kept_quality) return quality;
  const bool jpeg = request.origin != nullptr && request.info->id == std::string_view("jpeg");
  return jpeg ? request.origin->info().jpeg_quality : 0;
}

// A lossless file stays lossless unless the user sets a quality below 100.
void set_webp(ImageSpec& s, int quality, const std::string& own) {
  const bool lossless = quality == 100 || (quality == 0 && own == "lossless");
  s.attribute("compression",
              lossless ? "lossless" : "webp:" + std::to_string(quality > 0 ? quality : 95));
}

void set_tiff(ImageSpec& s, SampleType type, const std::string& wanted, const std::string& own) {
  const bool kept = own == "none" || own == "lzw" || own == "zip" || own == "packbits";
  s.attribute("compression", !wanted.empty() ? wanted : kept ? own : "lzw");
  s.attribute("tiff:zipquality", fast_deflate);
  if (type == SampleType::f16) s.attribute("tiff:half", 1);
  s.attribute("planarconfig", "contig");
  constexpr double most = 3.9e9;  // classic TIFF counts bytes in 32 bits
  if (static_cast<double>(s.image_bytes()) > most) s.attribute("tiff:bigtiff", 1);
}

}  // namespace

void set_compression(ImageSpec& spec, const WriteRequest& request, SampleType stored,
                     const ImageSpec* original) {
  const std::string& wanted = request.options.compression;
  const std::string own = attribute_of(original, "compression");
  const std::string& format = request.info->id;
  if (format == "jpeg") {
    set_jpeg(spec, quality_of(request));
  } else if (format == "webp") {
    set_webp(spec, quality_of(request), own);
  } else if (request.info->quality) {  // JPEG 2000, AVIF, HEIF
    const int quality = quality_of(request),
              used = quality > 0 ? quality : usual_quality(*request.info);
    const bool tiled = format == "jpeg2000" || format == "j2k";
    spec.attribute("compression", (tiled ? "jpeg2000:" : "heif:") + std::to_string(used));
  } else if (format == "png") {
    spec.attribute("png:compressionLevel", wanted == "small" ? 9 : fast_deflate);
  } else if (format == "tiff") {
    set_tiff(spec, stored, wanted, own);
  } else if (format == "openexr") {
    spec.attribute("compression", !wanted.empty() ? wanted : own.empty() ? "zip" : own);
  }
}

}  // namespace sfumato::files
