// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Axes limited to the relevant part, and curves on them.
#include "params/response_canvas.hpp"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr double gap = 4;         // px between an axis and its numbers
constexpr double stem_room = 4;   // smallest distance of stems, in px
constexpr double headroom = 0.1;  // relative to the curve, above and below it

// A round step that divides `span` into at most `parts`.
double round_step(double span, double parts) {
  const double raw = span / parts, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// The part that contains most of the kernel; distant ripples of an infinite one are left out.
int extent_of(const Response& r) {
  double size = 0, energy = 0, top = 0;
  for (const float v : r.kernel) {
    const double a = std::abs(static_cast<double>(v));
    size += a;
    energy += a * a;
    top = std::max(top, a);
  }
  double inner_size = 0, inner_energy = 0;
  int by_size = r.reach(), by_energy = r.reach(), by_height = 0;
  for (int i = r.reach(); i > 0; --i) {
    const double a = std::abs(static_cast<double>(r.at(i))),
                 b = std::abs(static_cast<double>(r.at(-i)));
    inner_size += a + b;
    inner_energy += a * a + b * b;
    if (inner_size < 0.002 * size) by_size = i - 1;
    if (inner_energy < 0.01 * energy) by_energy = i - 1;
    if (by_height == 0 && std::max(a, b) > 0.01 * top) by_height = i;
  }
  return std::max(1, std::min(by_size, std::max({3 * by_energy, by_height, 24})));
}

}  // namespace

ResponseCanvas::ResponseCanvas(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  setFont(small);
}

void ResponseCanvas::show_response(const std::optional<Response>& response) {
  response_ = response;
  fit();
}

void ResponseCanvas::show_kernel(bool kernel) {
  kernel_ = kernel;
  fit();
}

void ResponseCanvas::fit() {
  update();
  if (!response_) return;
  const std::vector<float>& values = kernel_ ? response_->kernel : response_->magnitude;
  const auto ends = std::minmax_element(values.begin(), values.end());
  const float low = *ends.first, high = *ends.second;
  const double bottom = std::min(0.0, static_cast<double>(low)),
               top = std::max(0.0, static_cast<double>(high));
  y0_ = bottom - (bottom < 0 ? headroom * (top - bottom) : 0);
  y1_ = top + (top > 0 ? headroom * (top - bottom) : 0);
  if (kernel_) {
    x1_ = (extent_of(*response_) + 0.7) * response_->pixels;
    return;
  }
  // Up to the highest frequency, or less if the upper part is constant.
  const auto differs = [&](float v) {
    return std::abs(v - values.back()) > 0.005f * std::max(std::abs(high), std::abs(low));
  };
  const auto last = std::find_if(values.rbegin(), values.rend(), differs);
  const double share = static_cast<double>(values.rend() - last) /
                       static_cast<double>(values.size()) / response_->pixels;
  x1_ = 1;
  for (const double end : {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
    if (1.2 * share < end) x1_ = end;
  }
}

QPointF ResponseCanvas::Frame::place(double x, double y) const {
  return {area.left() + (x - x0) / (x1 - x0) * area.width(),
          area.bottom() - (y - y0) / (y1 - y0) * area.height()};
}

ResponseCanvas::Frame ResponseCanvas::frame() const {
  const QFontMetrics metrics = fontMetrics();
  Frame frame;
  frame.area = QRectF(rect()).adjusted(metrics.horizontalAdvance(QStringLiteral("-0.000")) + gap,
                                       metrics.height() / 2.0 - 1, -1, -metrics.height() - gap);
  frame.x0 = kernel_ ? -x1_ : 0;
  frame.x1 = x1_;
  frame.y0 = y0_;
  frame.y1 = y1_ > y0_ ? y1_ : y0_ + 1;
  return frame;
}

void ResponseCanvas::paintEvent(QPaintEvent*) {
  if (!response_) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Frame seen = frame();
  painter.fillRect(seen.area, palette().color(QPalette::Base));
  paint_grid(painter, seen);
  painter.save();
  painter.setClipRect(seen.area);
  kernel_ ? paint_kernel(painter, seen) : paint_magnitude(painter, seen);
  painter.restore();
  painter.setPen(QPen(muted(palette(), 0.35), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(seen.area.adjusted(0.5, 0.5, -0.5, -0.5));
}

void ResponseCanvas::paint_grid(QPainter& painter, const Frame& frame) const {
  const QRectF& area = frame.area;
  const QFontMetrics metrics = fontMetrics();
  const QPen grid(muted(palette(), 0.15), 1), text(muted(palette(), 0.7), 1);
  const double x_step = round_step(frame.x1 - frame.x0, kernel_ ? 6 : 5);
  const double y_step = round_step(frame.y1 - frame.y0, 4);
  const QString unit = kernel_ ? QStringLiteral(" px") : QString();
  QLocale plain = locale();
  plain.setNumberOptions(QLocale::OmitGroupSeparator);
  for (double x = std::ceil(frame.x0 / x_step) * x_step; x <= frame.x1 * (1 + 1e-9); x += x_step) {
    if (kernel_ && x_step < 1) break;
    const double at = std::floor(frame.place(x, 0).x()) + 0.5;
    const bool last = x + x_step > frame.x1 * (1 + 1e-9);
    const QString number =
        plain.toString(std::abs(x) < x_step / 2 ? 0.0 : x, 'g', 4) + (last ? unit : QString());
    const double wide = metrics.horizontalAdvance(number);
    painter.setPen(grid);
    painter.drawLine(QPointF(at, area.top()), {at, area.bottom()});
    painter.setPen(text);
    painter.drawText(QPointF(std::min(at - wide / 2, width() - wide),
                             area.bottom() + gap / 2 + metrics.ascent()),
                     number);
  }
  for (double y = std::ceil(frame.y0 / y_step) * y_step; y <= frame.y1; y += y_step) {
    const bool zero = std::abs(y) < y_step / 2;
    const double at = std::floor(frame.place(0, y).y()) + 0.5;
    const QString number = plain.toString(zero ? 0.0 : y, 'g', 3);
    painter.setPen(zero ? QPen(muted(palette(), 0.45), 1) : grid);
    painter.drawLine(QPointF(area.left(), at), {area.right(), at});
    painter.setPen(text);
    painter.drawText(QPointF(area.left() - gap - metrics.horizontalAdvance(number),
                             at + metrics.ascent() / 2.0 - 1),
                     number);
  }
}

void ResponseCanvas::paint_kernel(QPainter& painter, const Frame& frame) const {
  const Response& r = *response_;
  const double apart = frame.place(r.pixels, 0).x() - frame.place(0, 0).x();
  const int reach = std::min(r.reach(), static_cast<int>(x1_ / r.pixels) + 1);
  if (apart < stem_room) {
    QPolygonF line;
    for (int i = -reach; i <= reach; ++i) line << frame.place(i * r.pixels, r.at(i));
    return paint_curve(painter, frame, line);
  }
  const QColor color = palette().color(QPalette::Highlight);
  const double dot = std::clamp(apart / 5, 1.2, 3.0);
  painter.setPen(QPen(color, std::clamp(apart / 6, 1.0, 2.0)));
  painter.setBrush(color);
  for (int i = -reach; i <= reach; ++i) {
    const QPointF tip = frame.place(i * r.pixels, r.at(i));
    painter.drawLine(frame.place(i * r.pixels, 0), tip);
    painter.drawEllipse(tip, dot, dot);
  }
}

void ResponseCanvas::paint_magnitude(QPainter& painter, const Frame& frame) const {
  const Response& r = *response_;
  const double step = 1.0 / static_cast<double>(r.magnitude.size() - 1) / r.pixels;
  QPolygonF line;
  double x = 0;
  for (const float m : r.magnitude) {
    line << frame.place(x, m);
    x += step;
  }
  paint_curve(painter, frame, line);
}

void ResponseCanvas::paint_curve(QPainter& painter, const Frame& frame,
                                 const QPolygonF& line) const {
  QColor color = palette().color(QPalette::Highlight);
  const double zero = frame.place(0, 0).y();
  QPolygonF body = line;
  body << QPointF(line.last().x(), zero) << QPointF(line.first().x(), zero);
  painter.setPen(QPen(color, 1.6));
  painter.drawPolyline(line);
  color.setAlphaF(0.18f);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(body);
}

}  // namespace sfumato::gui
