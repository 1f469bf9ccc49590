// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Measures the points of charts and writes the charts.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "bench.hpp"
#include "svg_plot.hpp"

namespace sfumato::bench {

class PlotWriter {
 public:
  /// Charts go to `folder`; the pictures of `bench` are `width` x `height`.
  PlotWriter(DeviceBench& bench, std::filesystem::path folder, int width, int height)
      : bench_(bench), folder_(std::move(folder)), width_(width), height_(height) {}

 protected:
  /// `what` names the pixels.
  std::string subtitle(const std::string& what) const;
  std::string device() const;

  /// Adds the case's point to a curve, unless `method` is given and another one ran. Returns false
  /// to end the curve: the filter rejects the case, or it takes too long.
  bool add(Curve& curve, double x, const Case& c, const std::string& method = {}) {
    return add(bench_, curve, x, c, method);
  }
  static bool add(DeviceBench& bench, Curve& curve, double x, const Case& c,
                  const std::string& method = {});

  /// Adds the curve of `case_at`, a function of x, at the chart's ticks until it takes too long.
  template <typename CaseAt>
  void draw(Chart& chart, const std::string& name, CaseAt&& case_at, bool emphasised = false) {
    Curve curve{name, {}, emphasised};
    for (const double x : chart.x_ticks) {
      if (!add(curve, x, case_at(x))) break;
    }
    chart.curves.push_back(std::move(curve));
  }

  /// Throws std::runtime_error if the file cannot be written.
  void write(const std::string& name, const Chart& chart) const;

  DeviceBench& bench_;
  const std::filesystem::path folder_;
  const int width_, height_;
};

/// Time by method and by the sizes of work.
void draw_methods(DeviceBench& bench, const std::filesystem::path& folder, int width, int height);
/// Time of each filter by its radius, its pixels and its pictures.
void draw_growth(DeviceBench& bench, const std::filesystem::path& folder, int width, int height);

}  // namespace sfumato::bench
