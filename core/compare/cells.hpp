// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures as they are shown on a sheet: in 8 bits, reduced or magnified.
#pragma once

#include <functional>

#include "io/io.hpp"

namespace sfumato {

/// Converts `count` pixels of four numbers, in place, from the picture's colours on sRGB's curve to
/// sRGB; opacity is the fourth, and not multiplied.
using ShowColors = std::function<void(float* pixels, std::size_t count)>;

/// Converts a float picture with premultiplied alpha; an empty function changes nothing.
void convert(HeldPicture& picture, const ShowColors& colors);

/// A float picture, in sRGB with premultiplied alpha, at most `width` by `height` pixels, as a cell
/// at 1:1, or magnified by an integer; transparency shows a checkerboard.
HeldPicture detail_cell(HeldPicture& picture, int width, int height);
/// How pictures are reduced to the size that they have in a cell.
inline constexpr ResizeFilter cell_filter = ResizeFilter::box;
PictureSize size_in_cell(const PictureFormat& format, int width, int height);
/// The same reduced so that all of it fits.
HeldPicture whole_cell(HeldPicture& picture, int width, int height, const ShowColors& colors = {});

/// A cell as it is shown: turned and mirrored by EXIF's orientation, 1 to 8.
HeldPicture upright_cell(HeldPicture cell, int orientation);

/// |a - b| times `gain`, opaque: a picture for the two functions above. Each channel shows its own
/// difference; a difference in alpha shows in all.
HeldPicture difference_picture(HeldPicture a, HeldPicture& b, float gain);

/// The largest of 1, 2, 5, 10, 20... that keeps the largest difference within 0..1.
double gain_for(double largest);

/// The part of a picture around (x, y), at most `width` by `height` pixels.
Rect detail_around(const PictureFormat& format, int x, int y, int width, int height);

}  // namespace sfumato
