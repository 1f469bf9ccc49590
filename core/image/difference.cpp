// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Largest and mean squared difference, and the PSNR derived from them.
#include "image/difference.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "image/transfer.hpp"

namespace sfumato {

double Difference::psnr(double peak) const {
  if (std::isinf(mean_square)) return -std::numeric_limits<double>::infinity();
  return 10 * std::log10(peak * peak / mean_square);
}

Difference difference_between(const HostView& a, const HostView& b, const PictureFormat& format) {
  if (a.region.width() != b.region.width() || a.region.height() != b.region.height()) {
    throw std::invalid_argument("two pictures of different sizes cannot be compared");
  }
  Difference out;
  const int samples = a.region.width() * format.channels, step = sample_bytes(format.type);
  double sum = 0;
  for (int y = 0; y < a.region.height(); ++y) {
    const auto* row_a = static_cast<const char*>(a.row(a.region.y0 + y));
    const auto* row_b = static_cast<const char*>(b.row(b.region.y0 + y));
    for (int i = 0; i < samples; ++i) {
      const auto va = static_cast<double>(read_sample(row_a + i * step, format.type));
      const auto vb = static_cast<double>(read_sample(row_b + i * step, format.type));
      if (va == vb || (std::isnan(va) && std::isnan(vb))) continue;
      double d = std::abs(va - vb);
      if (std::isnan(d)) d = std::numeric_limits<double>::infinity();
      if (std::isinf(d)) ++out.incomparable;
      sum += d * d;
      if (d <= out.largest) continue;
      out.largest = d;
      out.x = a.region.x0 + i / format.channels;
      out.y = a.region.y0 + y;
    }
  }
  const double count = static_cast<double>(samples) * a.region.height();
  out.mean_square = count > 0 ? sum / count : 0;
  return out;
}

}  // namespace sfumato
