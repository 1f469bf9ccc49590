// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Curves as an SVG, with axes, grid, markers and a legend, for print and screen.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sfumato::bench {

/// One curve; points that are not finite, or not positive on a logarithmic axis, are left out.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< in ascending x
  bool underlay = false;  ///< a broad pale line behind the others: their sum
};

struct Chart {
  std::string title;
  std::string subtitle;  ///< the picture and the quantity
  std::string device;    ///< the device
  std::string x_label, y_label;
  std::string legend_title = {};
  /// Labelled; at least two, ascending and positive: the axis is logarithmic.
  std::vector<double> x_ticks = {};
  /// Logarithmic, with the slowest first in the legend; otherwise linear from 0, with the legend in
  /// order.
  bool log_y = true;
  std::vector<Curve> curves = {};
};

/// The chart as an SVG document in UTF-8, with escaped names. Axes fit the drawable points.
std::string draw_svg(const Chart& chart);

/// A number as an axis label: "0.5", "20", "1024"; three significant digits, and all before the
/// point.
std::string axis_number(double value);

}  // namespace sfumato::bench
