// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A curve between its points, for drawing: the same numbers as the filter's.
#pragma once

#include <vector>

#include "params/value.hpp"

namespace sfumato::gui {

/// Monotone piecewise cubics after Fritsch and Carlson, straight before the first point and behind
/// the last. The filter keeps its own; a test holds both together.
class CurveShape {
 public:
  explicit CurveShape(const Curve& curve);

  double at(double x) const;

 private:
  std::vector<Curve::Point> points_;
  std::vector<double> slopes_;
};

}  // namespace sfumato::gui
