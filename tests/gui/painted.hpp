// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures with known values.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "opened.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

inline PictureFormat floats(int w, int h, int channels, Coding coding = Coding::srgb()) {
  const bool alpha = channels == 2 || channels == 4;
  return {w, h, channels, SampleType::f32, alpha ? AlphaKind::straight : AlphaKind::none, coding};
}

inline HeldPicture held(const PictureFormat& format, const std::vector<float>& values) {
  HeldPicture picture = blank_picture(format);
  std::memcpy(picture.bytes.data(), values.data(), picture.bytes.size());
  return picture;
}

/// A picture from a function of its stored pixels and channels.
inline gui::PicturePtr painted(const PictureFormat& format,
                               const std::function<double(int, int, int)>& value,
                               int orientation = 1) {
  Image image(format);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) {
        image.set(x, y, c, static_cast<float>(value(x, y, c)));
      }
    }
  }
  auto picture = std::make_shared<gui::OpenedPicture>();
  picture->pixels = {image.format, image.bytes};
  picture->orientation = orientation;
  return picture;
}

}  // namespace sfumato::testing
