// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures as they are shown on a sheet: in 8 bits, reduced or magnified.
#pragma once

#include "io/io.hpp"

namespace sfumato {

/// A float picture, in sRGB with premultiplied alpha, at most `width` by `height` pixels, as a cell
/// at 1:1, or magnified by an integer; transparency shows a checkerboard.
HeldPicture detail_cell(HeldPicture& picture, int width, int height);
/// The same reduced so that all of it fits.
HeldPicture whole_cell(HeldPicture& picture, int width, int height);

/// |a - b| times `gain`, opaque: a picture for the two functions above. Each channel shows its own
/// difference; a difference in alpha shows in all.
HeldPicture difference_picture(HeldPicture a, HeldPicture& b, float gain);

/// The largest of 1, 2, 5, 10, 20... that keeps the largest difference within 0..1.
double gain_for(double largest);

/// The part of a picture around (x, y), at most `width` by `height` pixels.
Rect detail_around(const PictureFormat& format, int x, int y, int width, int height);

}  // namespace sfumato
