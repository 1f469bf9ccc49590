// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// From the colours of a picture's ICC profile to those of the screen's.
#pragma once

#include <QByteArray>
#include <QImage>
#include <memory>

namespace sfumato::gui {

/// Relative colorimetric, with black point compensation. Colours that the screen has not are cut.
/// Constant once made: any thread.
class ColorTransform {
 public:
  virtual ~ColorTransform() = default;
  /// In place, on 16-bit RGBA or RGBX. Gray is read from the first channel.
  virtual void apply(QImage& image) const = 0;
};

/// What a picture's colours need on a screen.
struct DisplayColors {
  /// Whether the picture's profile describes its numbers; else they are to be coded as sRGB.
  bool by_profile = false;
  std::shared_ptr<const ColorTransform> transform;  ///< null: the numbers go as they are
};

/// An empty profile is sRGB, and so is one that does not fit the picture (CMYK; gray for a picture
/// of colours) or cannot be read. The last few transforms are kept. Any thread.
DisplayColors display_colors(const QByteArray& picture_profile, bool gray,
                             const QByteArray& screen_profile);

}  // namespace sfumato::gui
