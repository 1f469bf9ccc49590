// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Drawing curves.
#include "svg_plot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace sfumato::bench {
namespace {

// In pixels; the legend is to the right of the plot.
constexpr double height = 540;
constexpr double left = 76, top = 106, bottom = 66;
constexpr double plot_right = 680, plot_bottom = height - bottom;
constexpr double legend_left = plot_right + 26, sample = 36;

constexpr const char* ink = "#1f2328";
constexpr const char* soft_ink = "#59636e";
constexpr const char* line_ink = "#d9dde2";
constexpr const char* faint_ink = "#eef0f2";

// Distinguishable with colour vision deficiency, and by markers without any colour.
constexpr std::array colors = {"#0072b2", "#d55e00", "#009e73", "#b0438e",
                               "#a87400", "#3a9bd9", "#444c56", "#8a2b2b"};

std::string number(double value) {
  char text[32];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 2);
  std::string out(text, error == std::errc() ? end : text);
  while (out.find('.') != std::string::npos && (out.back() == '0' || out.back() == '.')) {
    const bool dot = out.back() == '.';
    out.pop_back();
    if (dot) break;
  }
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

struct Place {
  double x, y;
};

// One axis: from values to pixels.
struct Axis {
  bool log = true;
  double low = 1, high = 10;    // values at both ends
  double begin = 0, end = 100;  // their pixels

  double at(double value) const {
    const double part =
        log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return begin + part * (end - begin);
  }
};

// 1, 2 or 5 times a power of ten: the nearest in this direction.
double round_number(double value, bool up) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  constexpr std::array steps = {1.0, 2.0, 5.0, 10.0};
  if (up) {
    for (const double s : steps) {
      if (s * power >= value * (1 - 1e-9)) return s * power;
    }
  } else {
    for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
      if (*s * power <= value * (1 + 1e-9)) return *s * power;
    }
  }
  return value;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {}

  std::string draw() {
    fit_axes();
    std::size_t longest = chart_.legend_title.size();
    for (const Curve& c : chart_.curves) longest = std::max(longest, c.name.size() + 4);
    const double width = std::max(840.0, legend_left + 8.2 * static_cast<double>(longest) + 24);
    const std::string size = "width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " +
           number(height) + "\" " + size +
           " font-family=\"'DejaVu Sans', Helvetica, Arial, sans-serif\" role=\"img\">\n<title>" +
           escaped(chart_.title) + "</title>\n<rect " + size + " fill=\"#ffffff\"/>\n";
    text({left, 32}, chart_.title, 18, ink, "start", "font-weight=\"bold\"");
    text({left, 55}, chart_.subtitle, 12, soft_ink, "start");
    text({left, 73}, chart_.device, 12, soft_ink, "start");
    grid();
    curves();
    legend();
    return svg_ + "</svg>\n";
  }

 private:
  // The point in pixels, if it can be drawn.
  std::optional<Place> place(const std::pair<double, double>& p) const {
    const bool drawn = std::isfinite(p.first) && std::isfinite(p.second) && p.first > 0 &&
                       (p.second > 0 || !chart_.log_y);
    if (!drawn) return std::nullopt;
    return Place{x_.at(p.first), y_.at(p.second)};
  }

  void fit_axes() {
    double low = 0, high = 0;
    for (const Curve& c : chart_.curves) {
      for (const auto& [x, y] : c.points) {
        if (!std::isfinite(x) || !std::isfinite(y) || y <= 0) continue;
        low = low == 0 ? y : std::min(low, y);
        high = std::max(high, y);
      }
    }
    if (high == 0) low = 1, high = 10;
    x_ = {true, chart_.x_ticks.front(), chart_.x_ticks.back(), left + 14, plot_right - 14};
    y_ = {chart_.log_y, chart_.log_y ? round_number(0.9 * low, false) : 0, round_number(high, true),
          plot_bottom, top};
    if (chart_.log_y && y_.high <= y_.low * 1.01) y_.high = y_.low * 10;
    if (!chart_.log_y) {
      // Leaves room above, but no more than one grid step.
      y_.high = std::ceil(high * 1.04 / linear_step(high)) * linear_step(high);
    }
  }

  static double linear_step(double high) { return round_number(high / 6, true); }

  // Values of the horizontal lines, and whether each is labelled.
  std::vector<std::pair<double, bool>> y_ticks() const {
    std::vector<std::pair<double, bool>> ticks;
    if (!chart_.log_y) {
      const double step = linear_step(y_.high);
      for (double v = 0; v <= y_.high * (1 + 1e-9); v += step) ticks.emplace_back(v, true);
      return ticks;
    }
    const bool few = std::log10(y_.high / y_.low) < 2.7;
    for (double power = std::pow(10, std::floor(std::log10(y_.low) + 1e-9));
         power <= y_.high * (1 + 1e-9); power *= 10) {
      for (const double step : {1.0, 2.0, 5.0}) {
        const double v = power * step;
        if (v >= y_.low * (1 - 1e-9) && v <= y_.high * (1 + 1e-9)) {
          ticks.emplace_back(v, step == 1.0 || few);
        }
      }
    }
    return ticks;
  }

  void grid() {
    for (const auto& [value, labelled] : y_ticks()) {
      const double y = y_.at(value);
      line({left, y}, {plot_right, y}, labelled ? line_ink : faint_ink, 1);
      if (labelled) text({left - 9, y + 4}, axis_number(value), 12, soft_ink, "end");
    }
    double last = -100;
    for (const double value : chart_.x_ticks) {
      const double x = x_.at(value);
      line({x, plot_bottom}, {x, plot_bottom + 5}, soft_ink, 1);
      const std::string label = axis_number(value);
      const double half = 4.0 * static_cast<double>(label.size());
      if (x - half < last + 4) continue;  // labels would touch
      text({x, plot_bottom + 21}, label, 12, soft_ink, "middle");
      last = x + half;
    }
    line({left, plot_bottom}, {plot_right, plot_bottom}, soft_ink, 1);
    text({(left + plot_right) / 2, height - 20}, chart_.x_label, 13, ink, "middle");
    const std::string middle = number((top + plot_bottom) / 2);
    text({22, (top + plot_bottom) / 2}, chart_.y_label, 13, ink, "middle",
         "transform=\"rotate(-90 22 " + middle + ")\"");
  }

  void curves() {
    for (const bool underlay : {true, false}) {
      for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
        if (chart_.curves[i].underlay == underlay) curve(i);
      }
    }
  }

  void curve(std::size_t index) {
    const Curve& c = chart_.curves[index];
    std::string path;
    std::vector<Place> places;
    for (const auto& point : c.points) {
      const auto at = place(point);
      if (!at) continue;
      path.append(path.empty() ? "M" : "L").append(number(at->x) + " " + number(at->y));
      places.push_back(*at);
    }
    if (places.empty()) return;
    svg_ += "<path d=\"" + path + "\" fill=\"none\" " + stroke(index) + "/>\n";
    if (c.underlay) return;
    for (const Place& p : places) marker(index, p);
  }

  std::string stroke(std::size_t index) const {
    if (chart_.curves[index].underlay) {
      return "stroke=\"#c9d1d9\" stroke-width=\"9\" stroke-linecap=\"round\" "
             "stroke-linejoin=\"round\"";
    }
    return std::string("stroke=\"") + color(index) +
           "\" stroke-width=\"2\" stroke-linejoin=\"round\"";
  }

  std::size_t rank(std::size_t index) const {
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < index; ++i) drawn += chart_.curves[i].underlay ? 0 : 1;
    return drawn;
  }
  const char* color(std::size_t index) const { return colors[rank(index) % colors.size()]; }

  // Distinct shapes, for readers without colour.
  void marker(std::size_t index, Place p) {
    const std::string fill =
        std::string(" fill=\"") + color(index) + "\" stroke=\"#ffffff\" stroke-width=\"1\"/>\n";
    const auto at = [&](double dx, double dy) {
      return number(p.x + dx) + "," + number(p.y + dy) + " ";
    };
    switch (rank(index) % 4) {
      case 0:
        svg_ += "<circle cx=\"" + number(p.x) + "\" cy=\"" + number(p.y) + "\" r=\"4.2\"" + fill;
        break;
      case 1:
        svg_ += "<rect x=\"" + number(p.x - 3.8) + "\" y=\"" + number(p.y - 3.8) +
                "\" width=\"7.6\" height=\"7.6\"" + fill;
        break;
      case 2:
        svg_ += "<polygon points=\"" + at(0, -5.2) + at(4.9, 3.7) + at(-4.9, 3.7) + "\"" + fill;
        break;
      default:
        svg_ += "<polygon points=\"" + at(0, -5.4) + at(5.4, 0) + at(0, 5.4) + at(-5.4, 0) + "\"" +
                fill;
    }
  }

  // Methods in the order in which their curves end, the slowest on top, as in the plot.
  void legend() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      if (!chart_.curves[i].points.empty()) order.push_back(i);
    }
    const auto slower = [this](std::size_t a, std::size_t b) {
      const auto &p = chart_.curves[a].points.back(), &q = chart_.curves[b].points.back();
      // A curve that leaves the plot early was the slowest.
      return p.first != q.first ? p.first < q.first : p.second > q.second;
    };
    if (chart_.log_y) std::stable_sort(order.begin(), order.end(), slower);
    const double x = legend_left;
    double y = top + 8;
    if (!chart_.legend_title.empty()) {
      text({x, y}, chart_.legend_title, 12, soft_ink, "start");
      y += 22;
    }
    for (const std::size_t i : order) {
      svg_ += "<path d=\"M" + number(x) + " " + number(y - 4) + "h26\" fill=\"none\" " + stroke(i) +
              "/>\n";
      if (!chart_.curves[i].underlay) marker(i, {x + 13, y - 4});
      text({x + sample, y}, chart_.curves[i].name, 13, ink, "start");
      y += 23;
    }
  }

  void line(Place from, Place to, const char* color, double wide) {
    svg_ += "<line x1=\"" + number(from.x) + "\" y1=\"" + number(from.y) + "\" x2=\"" +
            number(to.x) + "\" y2=\"" + number(to.y) + "\" stroke=\"" + color +
            "\" stroke-width=\"" + number(wide) + "\"/>\n";
  }

  void text(Place at, const std::string& words, double size, const char* color, const char* anchor,
            const std::string& more = {}) {
    svg_ += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" font-size=\"" +
            number(size) + "\" fill=\"" + color + "\" text-anchor=\"" + anchor + "\"" +
            (more.empty() ? "" : " " + more) + ">" + escaped(words) + "</text>\n";
  }

  const Chart& chart_;
  Axis x_, y_;
  std::string svg_;
};

}  // namespace

std::string axis_number(double value) {
  if (value == 0) return "0";
  const double power = std::pow(10, std::min(0.0, std::floor(std::log10(std::abs(value))) - 2));
  char text[32];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, std::round(value / power) * power,
                    std::chars_format::fixed, std::abs(value) >= 1 ? 2 : 5);
  std::string out(text, error == std::errc() ? end : text);
  if (out.find('.') == std::string::npos) return out;
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out;
}

std::string draw_svg(const Chart& chart) {
  return Drawing(chart).draw();
}

}  // namespace sfumato::bench
