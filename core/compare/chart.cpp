// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "compare/markup.hpp"

namespace sfumato {
namespace {

constexpr double chart_width = 860, plot_left = 84, plot_right = 230, plot_top = 62,
                 plot_height = 320, plot_bottom = 64;
constexpr double chart_height = plot_top + plot_height + plot_bottom;
constexpr double legend_line = 24;

// Wong, "Points of view: Color blindness", Nature Methods 8, 2011.
constexpr std::array<const char*, 7> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                               "#56b4e9", "#e69f00", "#000000"};
constexpr std::array<const char*, 3> dashes = {"", "7 4", "2 3"};

std::string number(double value, const char* format = "%.1f") {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string label_of(double value) {
  return number(value, std::abs(value) >= 1e6 ? "%.2e" : "%.6g");
}

// One axis: where values lie, and which are named.
class Scale {
 public:
  Scale(double least, double most, double begin, double end) : begin_(begin), end_(end) {
    log_ = least > 0 && most > 10 * least;
    if (log_) {
      least_ = std::log10(least);
      most_ = std::log10(most);
    } else {
      least_ = least > 0 ? 0 : least;
      most_ = most;
    }
    if (!(most_ > least_)) {
      least_ -= 0.5;
      most_ += 0.5;
    }
  }

  double at(double value) const {
    const double v = log_ ? std::log10(value) : value;
    return begin_ + (v - least_) / (most_ - least_) * (end_ - begin_);
  }

  std::vector<double> marks() const { return log_ ? marks_of_powers() : even_marks(); }

 private:
  std::vector<double> even_marks() const {
    std::vector<double> out;
    const double rough = (most_ - least_) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double part = rough / power;
    const double step = power * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
    for (double v = std::ceil(least_ / step) * step; v <= most_ + step * 1e-9; v += step) {
      out.push_back(std::abs(v) < step * 1e-9 ? 0 : v);
    }
    return out;
  }

  // 1, 2, 5, 10... where there are few of them, else powers of ten.
  std::vector<double> marks_of_powers() const {
    const bool dense = most_ - least_ < 3;
    const int every = std::max(1, static_cast<int>((most_ - least_) / 8));
    std::vector<double> out;
    for (int power = static_cast<int>(std::floor(least_)); power <= std::ceil(most_);
         power += every) {
      for (const double step : {1.0, 2.0, 5.0}) {
        const double v = step * std::pow(10, power), place = std::log10(v);
        if (place > least_ - 1e-9 && place < most_ + 1e-9 && (dense || step == 1)) out.push_back(v);
      }
    }
    return out;
  }

  double begin_, end_, least_ = 0, most_ = 1;
  bool log_ = false;
};

bool is_shown(const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second);
}

Scale scale_of(const Chart& chart, bool vertical, double begin, double end) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const ChartLine& line : chart.lines) {
    for (const auto& point : line.points) {
      if (!is_shown(point)) continue;
      const double value = vertical ? point.second : point.first;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  if (least > most) least = most = 0;
  return {least, most, begin, end};
}

std::string text_at(double x, double y, const std::string& words, const std::string& attributes) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + attributes + ">" +
         escaped(words) + "</text>\n";
}

std::string segment(double x1, double y1, double x2, double y2, const std::string& attributes) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" " + attributes + "/>\n";
}

std::string draw_axes(const Chart& chart, const Scale& x, const Scale& y, double base) {
  const double end = chart_width - plot_right;
  std::string out;
  for (const double mark : y.marks()) {
    out += segment(plot_left, y.at(mark), end, y.at(mark), "class=\"grid\"") +
           text_at(plot_left - 8, y.at(mark) + 4, label_of(mark),
                   "class=\"mark\" text-anchor=\"end\"");
  }
  for (const double mark : x.marks()) {
    out += segment(x.at(mark), base - plot_height, x.at(mark), base, "class=\"grid\"") +
           text_at(x.at(mark), base + 18, label_of(mark), "class=\"mark\" text-anchor=\"middle\"");
  }
  out += segment(plot_left, base, end, base, "class=\"axis\"") +
         segment(plot_left, base - plot_height, plot_left, base, "class=\"axis\"");
  out += text_at((plot_left + end) / 2, base + 42, chart.x_name,
                 "class=\"name\" text-anchor=\"middle\"");
  out += text_at(plot_left, base - plot_height - 12, chart.y_name, "class=\"name\"");
  return out;
}

std::string draw_line(const ChartLine& line, std::size_t number_of_line, const Scale& x,
                      const Scale& y, double legend_y) {
  const std::string color = colors[number_of_line % colors.size()];
  const std::string dash = dashes[number_of_line / colors.size() % dashes.size()];
  const std::string stroke = "stroke=\"" + color + "\" stroke-width=\"2\" fill=\"none\"" +
                             (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  std::string path, dots;
  for (const auto& point : line.points) {
    if (!is_shown(point)) continue;
    const std::string place = number(x.at(point.first)) + "," + number(y.at(point.second));
    path += (path.empty() ? "" : " ") + place;
    dots +=
        "<circle cx=\"" + number(x.at(point.first)) + "\" cy=\"" + number(y.at(point.second)) +
        "\" r=\"3.5\" fill=\"" + color + "\"><title>" +
        escaped(line.name + ": " + label_of(point.first) + ", " + number(point.second, "%.4g")) +
        "</title></circle>\n";
  }
  if (path.empty()) return {};
  const double legend_x = chart_width - plot_right + 24;
  return "<polyline points=\"" + path + "\" " + stroke + "/>\n" + dots +
         segment(legend_x, legend_y - 4, legend_x + 26, legend_y - 4, stroke) +
         text_at(legend_x + 34, legend_y, line.name, "class=\"mark\"");
}

}  // namespace

std::string svg_of(const std::vector<Chart>& charts) {
  std::size_t lines = 0;
  for (const Chart& chart : charts) lines = std::max(lines, chart.lines.size());
  // A long legend makes the charts higher.
  const double one =
      std::max(chart_height, plot_top + legend_line * static_cast<double>(lines + 1));
  const double height = one * static_cast<double>(charts.size());
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                    number(chart_width, "%.0f") + "\" height=\"" + number(height, "%.0f") +
                    "\" viewBox=\"0 0 " + number(chart_width, "%.0f") + " " +
                    number(height, "%.0f") +
                    "\" font-family=\"sans-serif\">\n<style>.title{font-size:18px;"
                    "font-weight:bold;fill:#1a1a1f}.name{font-size:14px;fill:#33333a}"
                    ".mark{font-size:13px;fill:#55555c}.grid{stroke:#e2e2e6}.axis{stroke:#77777f}"
                    "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const Chart& chart = charts[i];
    const double begin = one * static_cast<double>(i), base = begin + plot_top + plot_height;
    const Scale x = scale_of(chart, false, plot_left, chart_width - plot_right);
    const Scale y = scale_of(chart, true, base, base - plot_height);
    out += text_at(plot_left, begin + 28, chart.title, "class=\"title\"") +
           draw_axes(chart, x, y, base);
    double legend = begin + plot_top + 8;
    for (std::size_t k = 0; k < chart.lines.size(); ++k) {
      const std::string line = draw_line(chart.lines[k], k, x, y, legend);
      if (!line.empty()) legend += legend_line;
      out += line;
    }
  }
  return out + "</svg>\n";
}

}  // namespace sfumato
