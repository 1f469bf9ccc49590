// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Floats at the depth of the picture they represent.
#include "preview/pixel_text.hpp"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace sfumato::gui {
namespace {

QString number(float value, SampleType type) {
  const double v = static_cast<double>(value);
  if (std::isnan(v)) return QStringLiteral("NaN");
  if (std::isinf(v)) return v > 0 ? QStringLiteral("∞") : QStringLiteral("\u2212∞");
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  if (!is_integer(type)) return locale.toString(v, 'f', type == SampleType::f16 ? 4 : 5);
  const double most = type == SampleType::u8 ? 255 : 65535;
  return locale.toString(std::lround(std::clamp(v, 0.0, 1.0) * most));
}

}  // namespace

QString pixel_text(const HeldPicture& values, int x, int y, SampleType type) {
  const PictureFormat& f = values.format;
  const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(f.width) +
                   static_cast<std::size_t>(x)) *
                  static_cast<std::size_t>(f.channels);
  const auto* v = reinterpret_cast<const float*>(values.bytes.data()) + at;
  QStringList parts;
  for (int c = 0; c < f.channels; ++c) parts << number(v[c], type);
  return parts.join(QStringLiteral("  "));
}

}  // namespace sfumato::gui
