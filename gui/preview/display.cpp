// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Converts numbers to screen colours.
#include "preview/display.hpp"

#include <QRgba64>
#include <QTransform>
#include <algorithm>
#include <vector>

#include "image/parallel_rows.hpp"
#include "preview/color_transform.hpp"
#include "preview/tone.hpp"

namespace sfumato::gui {

QImage to_display(const HeldPicture& picture, const QByteArray& icc_profile, double exposure,
                  const QByteArray& screen_profile) {
  const PictureFormat& f = picture.format;
  const bool gray = f.color_channels() == 1;
  const DisplayColors colors = display_colors(icc_profile, gray, screen_profile);
  const Tone tone(f.coding, colors.by_profile ? f.coding : Coding::srgb(), exposure);
  QImage image(f.width, f.height, f.has_alpha() ? QImage::Format_RGBA64 : QImage::Format_RGBX64);
  const HostView view = picture.view();
  uchar* const pixels = image.bits();
  ParallelRows().run(0, f.height, [&](int y) {
    const float* from = static_cast<const float*>(view.row(y));
    auto* to = reinterpret_cast<quint16*>(pixels + y * image.bytesPerLine());
    for (int x = 0; x < f.width; ++x, from += f.channels, to += 4) {
      const float alpha = f.has_alpha() ? from[f.channels - 1] : 1.0f;
      const bool divide = f.alpha == AlphaKind::premultiplied && alpha > 0;
      for (int c = 0; c < 3; ++c) {
        const float v = from[gray ? 0 : c];
        to[c] = tone(divide ? v / alpha : v);
      }
      to[3] = alpha > 0 ? static_cast<quint16>(65535 * std::min(alpha, 1.0f) + 0.5f) : 0;
    }
  });
  if (colors.transform) colors.transform->apply(image);
  return image;
}

QImage to_screen(const HeldPicture& picture, const QByteArray& icc_profile, double exposure,
                 const QByteArray& screen_profile) {
  const PictureFormat& f = picture.format;
  const bool gray = f.color_channels() == 1;
  const DisplayColors colors = display_colors(icc_profile, gray, screen_profile);
  if (colors.transform || f.has_alpha()) {
    const QImage image = to_display(picture, icc_profile, exposure, screen_profile);
    return image.convertToFormat(image.hasAlphaChannel() ? QImage::Format_ARGB32_Premultiplied
                                                         : QImage::Format_RGB32);
  }
  // In one pass: previews are made many times a second.
  const Tone tone(f.coding, colors.by_profile ? f.coding : Coding::srgb(), exposure);
  QImage image(f.width, f.height, QImage::Format_RGB32);
  const HostView view = picture.view();
  uchar* const pixels = image.bits();
  ParallelRows().run(0, f.height, [&](int y) {
    thread_local std::vector<quint16> samples;
    const int count = f.width * f.channels;
    samples.resize(static_cast<std::size_t>(count));
    tone.convert(static_cast<const float*>(view.row(y)), count, samples.data());
    const auto byte = [](quint16 sample) {  // rounded as QRgba64 does
      const unsigned up = sample + 128U;
      return (up - (up >> 8)) >> 8;
    };
    const quint16* from = samples.data();
    auto* to = reinterpret_cast<QRgb*>(pixels + y * image.bytesPerLine());
    for (int x = 0; x < f.width; ++x, from += f.channels) {
      to[x] = 0xff000000U | byte(from[0]) << 16 | byte(from[gray ? 0 : 1]) << 8 |
              byte(from[gray ? 0 : 2]);
    }
  });
  return image;
}

QImage upright(const QImage& image, int orientation) {
  switch (orientation) {
    case 2:
      return image.mirrored(true, false);
    case 3:
      return image.mirrored(true, true);
    case 4:
      return image.mirrored(false, true);
    case 5:
      return image.transformed(QTransform().rotate(90)).mirrored(true, false);
    case 6:
      return image.transformed(QTransform().rotate(90));
    case 7:
      return image.transformed(QTransform().rotate(90)).mirrored(false, true);
    case 8:
      return image.transformed(QTransform().rotate(-90));
    default:
      return image;
  }
}

}  // namespace sfumato::gui
