// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures held like the editor's, without files.
#pragma once

#include <cstdint>
#include <memory>

#include "document/opened_picture.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

inline PictureFormat rgb8(int w, int h) {
  return {w, h, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
}

/// A scene in that format, with `orientation` as in EXIF.
inline gui::PicturePtr opened(const PictureFormat& format, int orientation = 1,
                              std::uint32_t seed = 1) {
  auto picture = std::make_shared<gui::OpenedPicture>();
  const Image image = scene(format, seed);
  picture->pixels = {image.format, image.bytes};
  picture->orientation = orientation;
  return picture;
}

inline gui::PicturePtr opened(int w, int h, int orientation = 1, std::uint32_t seed = 1) {
  return opened(rgb8(w, h), orientation, seed);
}

}  // namespace sfumato::testing
