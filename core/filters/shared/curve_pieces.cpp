// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Slopes at the points, then cubics between them.
#include "filters/shared/curve_pieces.hpp"

namespace sfumato {
namespace {

// The slope at an inner point: the weighted harmonic mean of its neighbours', or 0 at a turning
// point.
double slope_between(double left_width, double left, double right_width, double right) {
  if (left * right <= 0) return 0;
  const double a = 2 * right_width + left_width, b = right_width + 2 * left_width;
  return (a + b) / (a / left + b / right);
}

}  // namespace

std::vector<CurvePiece> pieces_of(const Curve& curve) {
  const std::size_t n = curve.points.size();
  std::vector<double> width(n - 1), rise(n - 1), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = curve.points[i + 1].x - curve.points[i].x;
    rise[i] = (curve.points[i + 1].y - curve.points[i].y) / width[i];
  }
  slope.front() = rise.front();
  slope.back() = rise.back();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    slope[i] = slope_between(width[i - 1], rise[i - 1], width[i], rise[i]);
  }
  std::vector<CurvePiece> pieces{{curve.points[0].x, curve.points[0].y, slope[0], 0, 0}};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double w = width[i];
    pieces.push_back({curve.points[i].x, curve.points[i].y, slope[i],
                      (3 * rise[i] - 2 * slope[i] - slope[i + 1]) / w,
                      (slope[i] + slope[i + 1] - 2 * rise[i]) / (w * w)});
  }
  pieces.push_back({curve.points[n - 1].x, curve.points[n - 1].y, slope[n - 1], 0, 0});
  return pieces;
}

double curve_at(const std::vector<CurvePiece>& pieces, double x) {
  std::size_t i = 0;
  while (i + 1 < pieces.size() && x >= pieces[i + 1].x0) ++i;
  const CurvePiece& p = pieces[i];
  const double t = x - p.x0;
  return p.y0 + t * (p.slope + t * (p.b + t * p.c));
}

}  // namespace sfumato
