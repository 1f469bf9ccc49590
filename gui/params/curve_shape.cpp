// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A curve between its points.
#include "params/curve_shape.hpp"

#include <algorithm>

namespace sfumato::gui {
namespace {

// The weighted harmonic mean of the neighbours' slopes, or level at a turn.
double slope_between(double left_width, double left, double right_width, double right) {
  if (left * right <= 0) return 0;
  const double a = 2 * right_width + left_width, b = right_width + 2 * left_width;
  return (a + b) / (a / left + b / right);
}

}  // namespace

CurveShape::CurveShape(const Curve& curve) : points_(curve.points), slopes_(points_.size()) {
  const std::size_t n = points_.size();
  const auto width = [&](std::size_t i) { return points_[i + 1].x - points_[i].x; };
  const auto rise = [&](std::size_t i) { return (points_[i + 1].y - points_[i].y) / width(i); };
  slopes_.front() = rise(0);
  slopes_.back() = rise(n - 2);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    slopes_[i] = slope_between(width(i - 1), rise(i - 1), width(i), rise(i));
  }
}

double CurveShape::at(double x) const {
  const Curve::Point &first = points_.front(), &last = points_.back();
  if (x <= first.x) return first.y + (x - first.x) * slopes_.front();
  if (x >= last.x) return last.y + (x - last.x) * slopes_.back();
  const auto next = std::upper_bound(points_.begin(), points_.end(), x,
                                     [](double v, const Curve::Point& p) { return v < p.x; });
  const auto i = static_cast<std::size_t>(next - points_.begin()) - 1;
  const double w = points_[i + 1].x - points_[i].x, t = x - points_[i].x;
  const double rise = (points_[i + 1].y - points_[i].y) / w;
  const double b = (3 * rise - 2 * slopes_[i] - slopes_[i + 1]) / w;
  const double c = (slopes_[i] + slopes_[i + 1] - 2 * rise) / (w * w);
  return points_[i].y + t * (slopes_[i] + t * (b + t * c));
}

}  // namespace sfumato::gui
