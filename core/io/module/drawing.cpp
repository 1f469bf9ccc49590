// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Drawing with OpenImageIO's image algorithms.
#include <OpenImageIO/imagebufalgo.h>

#include <filesystem>

#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

// OpenImageIO looks for fonts by name only in folders where Debian has none.
const std::string& font_file(bool bold) {
  const auto find = [](std::initializer_list<const char*> candidates) {
    for (const char* path : candidates) {
      std::error_code error;
      if (std::filesystem::exists(path, error)) return std::string(path);
    }
    throw FileError(message({"drawing.no_font",
                             "no font was found to write with; install the package "
                             "fonts-dejavu-core"}));
  };
  static const std::string regular = find(
      {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
       "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
       "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"});
  static const std::string strong =
      find({"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", regular.c_str()});
  return bold ? strong : regular;
}

OIIO::ImageBuf wrapped(HeldPicture& picture, const OIIO::TypeDesc& type) {
  const PictureFormat& f = picture.format;
  return OIIO::ImageBuf(OIIO::ImageSpec(f.width, f.height, f.channels, type), picture.bytes.data());
}

}  // namespace

int measure_text(const std::string& text, const TextStyle& style) {
  return OIIO::ImageBufAlgo::text_size(text, style.size, font_file(style.bold)).width();
}

void write_text(HeldPicture& picture, int x, int y, const std::string& text,
                const TextStyle& style) {
  OIIO::ImageBuf image = wrapped(picture, OIIO::TypeDesc::UINT8);
  if (!OIIO::ImageBufAlgo::render_text(image, x, y, text, style.size, font_file(style.bold),
                                       style.color)) {
    throw FileError(message({"drawing.not_written", "writing \"{text}\" failed: {reason}"}, text,
                            image.geterror()));
  }
}

}  // namespace sfumato::files
