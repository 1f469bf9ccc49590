// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Line charts as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sfumato {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< x and y, in the order of x
};

struct Chart {
  std::string title, x_name, y_name;  ///< names of axes with their units
  std::vector<ChartLine> lines;       ///< lines without points are left out
};

/// Charts below each other, with a legend. An axis is logarithmic if all its values are positive
/// and the largest is more than ten times the smallest. Points that are not finite are left out.
std::string svg_of(const std::vector<Chart>& charts);

}  // namespace sfumato
