// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures as the screen shows them.
#pragma once

#include <QByteArray>
#include <QImage>

#include "image/orientation.hpp"
#include "io/io.hpp"

namespace sfumato::gui {

/// A screen image of float pixels: colours converted from `icc_profile` to `screen_profile` (empty:
/// sRGB), `exposure` stops brighter. Straight alpha; gray, with or without alpha, becomes colour.
/// NaN is black. Thread-safe.
QImage to_display(const HeldPicture& picture, const QByteArray& icc_profile, double exposure,
                  const QByteArray& screen_profile = {});

/// The same in the format that paints fastest: 32 bits a pixel, opacity multiplied.
QImage to_screen(const HeldPicture& picture, const QByteArray& icc_profile, double exposure,
                 const QByteArray& screen_profile = {});

/// The image rotated and mirrored to be upright (EXIF orientation 1 to 8).
QImage upright(const QImage& image, int orientation);

}  // namespace sfumato::gui
