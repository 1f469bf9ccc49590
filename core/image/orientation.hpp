// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Where things lie in a picture as it is stored and as it is shown, by EXIF's orientation, 1 to 8.
#pragma once

#include "image/plane.hpp"

namespace sfumato {

/// Whether the picture as shown has the stored one's width as its height.
inline bool swaps_sides(int orientation) {
  return orientation >= 5;
}

/// The position of a rectangle of the upright picture in the stored picture of `width` x `height`.
Rect stored_region(const Rect& upright, int width, int height, int orientation);
/// The reverse: that of a rectangle of the stored picture, of `width` x `height`, in the upright
/// one.
Rect upright_region(const Rect& stored, int width, int height, int orientation);

}  // namespace sfumato
