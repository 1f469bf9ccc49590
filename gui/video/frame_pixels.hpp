// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Frames of movies as the engine takes them.
#pragma once

#include <QImage>
#include <QVideoFrame>
#include <memory>

#include "io/io.hpp"

namespace sfumato::gui {

/// Eight bits of red, green and blue, sRGB-coded: what the engine filters without a float between.
PictureFormat frame_format(int width, int height);

/// The pixels of a decoded frame, in one pass where it is planar 4:2:0. Empty where it cannot be
/// read. Any thread.
HeldPicture pixels_of(QVideoFrame frame);

/// The same memory as an image, which keeps it.
QImage image_of(const std::shared_ptr<const HeldPicture>& picture);

}  // namespace sfumato::gui
