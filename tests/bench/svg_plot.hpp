// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Curves as an SVG: axes, grid, markers and a legend, for print and screen alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sfumato::bench {

/// One curve; points that are not finite, or not above 0 on a logarithmic axis, are left out.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< by growing x
  bool underlay = false;  ///< a broad pale line behind the others: what they add up to
};

struct Chart {
  std::string title;
  std::string subtitle;  ///< the picture, what was measured
  std::string device;    ///< where
  std::string x_label, y_label;
  std::string legend_title = {};
  /// Labelled; at least two, growing, above 0: the axis is logarithmic.
  std::vector<double> x_ticks = {};
  /// Logarithmic, and the legend slowest first; else linear from 0, the legend in order.
  bool log_y = true;
  std::vector<Curve> curves = {};
};

/// The chart as one SVG document in UTF-8, names escaped. Axes fit the points that can be drawn.
std::string draw_svg(const Chart& chart);

/// A number as an axis says it: "0.5", "20", "1024"; three digits count, and all before the point.
std::string axis_number(double value);

}  // namespace sfumato::bench
