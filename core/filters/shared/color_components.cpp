// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Hue, saturation and the other components, pixel by pixel.
#include "filters/shared/color_components.hpp"

#include <algorithm>
#include <cmath>

namespace sfumato {
namespace {

// Ignores NaNs.
double least_of(const Triple& c) {
  return std::fmin(std::fmin(c[0], c[1]), c[2]);
}
double most_of(const Triple& c) {
  return std::fmax(std::fmax(c[0], c[1]), c[2]);
}

double hue_of(const Triple& c, double most, double spread) {
  if (spread == 0) return 0;
  double h = 0;
  if (c[0] == most) {
    h = (c[1] - c[2]) / spread;
  } else if (c[1] == most) {
    h = 2 + (c[2] - c[0]) / spread;
  } else {
    h = 4 + (c[0] - c[1]) / spread;
  }
  if (h < 0) h += 6;
  return h >= 6 ? 0 : h / 6;
}

// How much of the spread a component has at a hue: all of it within a sixth of a turn from its
// middle.
double hexagon(double hue, double middle) {
  const double away = std::abs((hue - std::floor(hue)) * 6 - middle);
  return std::clamp(2 - std::min(away, 6 - away), 0.0, 1.0);
}

Triple at_hue(double hue, double low, double spread) {
  return {low + spread * hexagon(hue, 0), low + spread * hexagon(hue, 2),
          low + spread * hexagon(hue, 4)};
}

}  // namespace

Triple hsv_of(const Triple& rgb) {
  const double least = least_of(rgb), most = most_of(rgb);
  const double saturation = most <= 0 ? 0 : (most - least) / most;
  return {saturation == 0 ? 0 : hue_of(rgb, most, most - least), saturation, most};
}

Triple rgb_of_hsv(const Triple& hsv) {
  const double low = hsv[2] * (1 - hsv[1]);
  return at_hue(hsv[0], low, hsv[2] - low);
}

Triple hsl_of(const Triple& rgb) {
  const double least = least_of(rgb), most = most_of(rgb);
  const double sum = most + least, spread = most - least;
  const double room = sum <= 1 ? sum : 2 - sum;
  const double saturation = room <= 0 || spread == 0 ? 0 : spread / room;
  return {saturation == 0 ? 0 : hue_of(rgb, most, spread), saturation, sum / 2};
}

Triple rgb_of_hsl(const Triple& hsl) {
  const double half_spread = hsl[1] * (hsl[2] <= 0.5 ? hsl[2] : 1 - hsl[2]);
  return at_hue(hsl[0], hsl[2] - half_spread, 2 * half_spread);
}

Triple ColorMatrix::operator()(const Triple& c) const {
  Triple out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = rows[i][0] * c[0] + rows[i][1] * c[1] + rows[i][2] * c[2] + rows[i][3];
  }
  return out;
}

ColorMatrix ColorMatrix::inverse() const {
  const auto m = [this](std::size_t i, std::size_t j) { return rows[i % 3][j % 3]; };
  double determinant = 0;
  ColorMatrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      out.rows[j][i] = m(i + 1, j + 1) * m(i + 2, j + 2) - m(i + 1, j + 2) * m(i + 2, j + 1);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) determinant += rows[0][i] * out.rows[i][0];
  for (auto& row : out.rows) {
    for (double& v : row) v /= determinant;
    row[3] = -(row[0] * rows[0][3] + row[1] * rows[1][3] + row[2] * rows[2][3]);
  }
  return out;
}

std::array<float, 12> float_rows(const ColorMatrix& matrix) {
  std::array<float, 12> out;
  for (std::size_t i = 0; i < 12; ++i) out[i] = static_cast<float>(matrix.rows[i / 4][i % 4]);
  return out;
}

const ColorMatrix& yiq_matrix() {
  static const ColorMatrix matrix{{{{0.299, 0.587, 0.114, 0},
                                    {0.5959, -0.2746, -0.3213, 0.5},
                                    {0.2115, -0.5227, 0.3112, 0.5}}}};
  return matrix;
}

}  // namespace sfumato
