// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// From the colours of a picture's ICC profile to those of the screen's.
#pragma once

#include <QByteArray>
#include <QImage>
#include <memory>

namespace sfumato::gui {

/// Relative colorimetric, with black point compensation. Colours outside the screen's gamut are
/// clipped. Immutable and thread-safe.
class ColorTransform {
 public:
  virtual ~ColorTransform() = default;
  /// In place, on 16-bit RGBA or RGBX. Gray is read from the first channel.
  virtual void apply(QImage& image) const = 0;
};

/// How to show a picture's colours on a screen.
struct DisplayColors {
  /// Whether the picture's profile describes its numbers; otherwise they must be encoded as sRGB.
  bool by_profile = false;
  std::shared_ptr<const ColorTransform> transform;  ///< null: numbers stay unchanged
};

/// An empty profile counts as sRGB, and so does one that does not fit the picture (CMYK; gray for a
/// colour picture) or cannot be read. The most recent transforms are cached. Thread-safe.
DisplayColors display_colors(const QByteArray& picture_profile, bool gray,
                             const QByteArray& screen_profile);

}  // namespace sfumato::gui
