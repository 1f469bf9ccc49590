// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Numbers to colours of the screen.
#include "preview/display.hpp"

#include <QColorSpace>
#include <QTransform>
#include <algorithm>
#include <array>
#include <cmath>

namespace sfumato::gui {
namespace {

// From stored numbers to codes of the sRGB curve, or of the profile's own where there is one.
class Tone {
 public:
  Tone(Coding coding, double exposure, bool keep_coding)
      : coding_(coding), gain_(std::exp2(exposure)) {
    direct_ = exposure == 0 && (keep_coding || coding == Coding::srgb());
    target_ = keep_coding ? coding : Coding::srgb();
    for (std::size_t i = 0; i < table_.size() && !direct_; ++i) {
      const double light = static_cast<double>(i) / last;
      table_[i] =
          static_cast<quint16>(std::lround(65535 * std::clamp(encode(target_, light), 0.0, 1.0)));
    }
  }

  quint16 operator()(float stored) const {
    if (!(stored > 0)) return 0;  // NaN too
    if (direct_) return static_cast<quint16>(std::lround(65535 * std::min(stored, 1.0f)));
    const double light = decode(coding_, static_cast<double>(stored)) * gain_;
    if (light >= 1) return 65535;
    // The curve is steep near black: there it is computed.
    if (light < 0.02) return static_cast<quint16>(std::lround(65535 * encode(target_, light)));
    return table_[static_cast<std::size_t>(light * last + 0.5)];
  }

 private:
  static constexpr double last = 16383;

  Coding coding_, target_;
  double gain_;
  bool direct_;
  std::array<quint16, 16384> table_{};
};

}  // namespace

QImage to_display(const HeldPicture& picture, const QByteArray& icc_profile, double exposure) {
  const PictureFormat& f = picture.format;
  const QColorSpace profile =
      icc_profile.isEmpty() ? QColorSpace() : QColorSpace::fromIccProfile(icc_profile);
  const bool managed = profile.isValid() && profile != QColorSpace(QColorSpace::SRgb);
  const Tone tone(f.coding, exposure, managed);
  const bool gray = f.color_channels() == 1;
  QImage image(f.width, f.height, f.has_alpha() ? QImage::Format_RGBA64 : QImage::Format_RGBX64);
  const HostView view = picture.view();
  for (int y = 0; y < f.height; ++y) {
    const float* from = static_cast<const float*>(view.row(y));
    auto* to = reinterpret_cast<quint16*>(image.scanLine(y));
    for (int x = 0; x < f.width; ++x, from += f.channels, to += 4) {
      const float alpha = f.has_alpha() ? from[f.channels - 1] : 1.0f;
      const bool divide = f.alpha == AlphaKind::premultiplied && alpha > 0;
      for (int c = 0; c < 3; ++c) {
        const float v = from[gray ? 0 : c];
        to[c] = tone(divide ? v / alpha : v);
      }
      to[3] = alpha > 0 ? static_cast<quint16>(std::lround(65535 * std::min(alpha, 1.0f))) : 0;
    }
  }
  if (managed) {
    image.setColorSpace(profile);
    image.convertToColorSpace(QColorSpace(QColorSpace::SRgb));
  }
  return image;
}

Rect stored_region(const Rect& upright, int width, int height, int orientation) {
  const auto flip = [](int lo, int hi, int size) { return std::pair(size - hi, size - lo); };
  std::pair across(upright.x0, upright.x1), down(upright.y0, upright.y1);
  const bool turned = orientation >= 5;
  if (turned) std::swap(across, down);  // of the stored picture from here on
  if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
    across = flip(across.first, across.second, width);
  }
  if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
    down = flip(down.first, down.second, height);
  }
  return {across.first, down.first, across.second, down.second};
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
