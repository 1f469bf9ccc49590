// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures as the screen shows them.
#pragma once

#include <QByteArray>
#include <QImage>

#include "io/io.hpp"

namespace sfumato::gui {

/// An image for the screen of float pixels: colours from `icc_profile` to `screen_profile` (empty:
/// sRGB), `exposure` stops brighter. Straight alpha; gray and gray with alpha become colour. What
/// is not a number is black. Any thread.
QImage to_display(const HeldPicture& picture, const QByteArray& icc_profile, double exposure,
                  const QByteArray& screen_profile = {});

/// Where a rectangle of the upright picture lies in the picture of `width` x `height` as stored.
Rect stored_region(const Rect& upright, int width, int height, int orientation);

/// The image turned and mirrored so that it is upright (EXIF orientation 1 to 8).
QImage upright(const QImage& image, int orientation);

}  // namespace sfumato::gui
