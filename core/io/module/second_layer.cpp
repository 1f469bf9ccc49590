// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/second_layer.hpp"

#include <cstring>

#include "io/module/output.hpp"

namespace sfumato::files {
namespace {

int colors_of(const PictureFormat& format) {
  return format.channels - (format.has_alpha() ? 1 : 0);
}

}  // namespace

void add_layer(OIIO::ImageSpec& spec, const std::string& name, const PictureFormat& stored) {
  for (int c = 0; c < colors_of(stored); ++c) {
    spec.channelnames.push_back(name + "." +
                                (colors_of(stored) == 1 ? "Y" : std::string(1, "RGB"[c])));
  }
  spec.nchannels = static_cast<int>(spec.channelnames.size());
  spec.channelformats.clear();
}

void put_beside(const std::vector<char>& rows, const FileLayer& layer, int y0, int y1,
                std::vector<char>& to) {
  const PictureFormat& format = layer.picture.format;
  const std::size_t pixel = format.pixel_bytes();
  const std::size_t extra = pixel / static_cast<std::size_t>(format.channels) *
                            static_cast<std::size_t>(colors_of(format));
  const std::size_t first = static_cast<std::size_t>(y0) * static_cast<std::size_t>(format.width);
  const std::size_t count =
      static_cast<std::size_t>(y1 - y0) * static_cast<std::size_t>(format.width);
  const char* beside = layer.picture.bytes.data() + first * pixel;
  to.resize(count * (pixel + extra));
  for (std::size_t i = 0; i < count; ++i) {
    char* at = to.data() + i * (pixel + extra);
    std::memcpy(at, rows.data() + i * pixel, pixel);
    std::memcpy(at + pixel, beside + i * pixel, extra);
  }
}

bool append_page(OIIO::ImageOutput& out, const std::string& path, const OIIO::ImageSpec& picture,
                 const FileLayer& layer) {
  const OIIO::ImageSpec page = copied_spec(picture, false);
  return out.open(path, page, OIIO::ImageOutput::AppendSubimage) &&
         out.write_scanlines(0, page.height, 0, OIIO::TypeDesc::UNKNOWN,
                             layer.picture.bytes.data());
}

}  // namespace sfumato::files
