// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A curve in a square, with draggable points.
#include "params/curve_plot.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "filters/shared/curve_pieces.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr double margin = 9, radius = 4.5, reach = 9;  // of a point, in pixels
constexpr int largest_side = 360;
constexpr double small_step = 0.01, far_step = 0.1, least_gap = 0.001;  // fractions of the range

// An infinite end is drawn as for 0..1.
Range drawn(const Range& range) {
  return {std::isfinite(range.min) ? range.min : 0, std::isfinite(range.max) ? range.max : 1};
}

}  // namespace

CurvePlot::CurvePlot(const Range& range, QWidget* parent)
    : QWidget(parent),
      range_(drawn(range)),
      curve_{{{range_.min, range_.min}, {range_.max, range_.max}}} {
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

int CurvePlot::heightForWidth(int width) const {
  return std::min(width, largest_side);
}

void CurvePlot::set_curve(const Curve& curve) {
  curve_ = curve;
  choose(std::min(chosen_, count() - 1));
}

void CurvePlot::choose(int point) {
  if (point != chosen_) {
    chosen_ = point;
    Q_EMIT chosen_changed(point);
  }
  update();
}

const Curve::Point& CurvePlot::chosen_point() const {
  return curve_.points[static_cast<std::size_t>(chosen_)];
}

QRectF CurvePlot::square() const {
  const double side = std::min(width(), height()) - 2 * margin;
  return {(width() - side) / 2, (height() - side) / 2, side, side};
}

QPointF CurvePlot::place_of(const Curve::Point& point) const {
  const QRectF area = square();
  const double span = range_.max - range_.min;
  return {area.left() + (point.x - range_.min) / span * area.width(),
          area.bottom() - (point.y - range_.min) / span * area.height()};
}

Curve::Point CurvePlot::value_at(const QPointF& place) const {
  const QRectF area = square();
  const double span = range_.max - range_.min;
  const auto tidy = [&](double share) {
    return range_.min + std::round(std::clamp(share, 0.0, 1.0) * 1000) / 1000 * span;
  };
  return {tidy((place.x() - area.left()) / area.width()),
          tidy((area.bottom() - place.y()) / area.height())};
}

int CurvePlot::point_at(const QPointF& place) const {
  int found = -1;
  double nearest = reach;
  for (int i = 0; i < count(); ++i) {
    const QPointF away = place_of(curve_.points[static_cast<std::size_t>(i)]) - place;
    const double distance = std::hypot(away.x(), away.y());
    if (distance > nearest) continue;
    nearest = distance;
    found = i;
  }
  return found;
}

// Refused if there is no room between two points.
void CurvePlot::add(const Curve::Point& point, bool finished) {
  auto& points = curve_.points;
  const auto place = std::lower_bound(points.begin(), points.end(), point.x,
                                      [](const Curve::Point& p, double x) { return p.x < x; });
  const double gap = least_gap * (range_.max - range_.min);
  if (place != points.end() && place->x - point.x < gap) return;
  if (place != points.begin() && point.x - std::prev(place)->x < gap) return;
  chosen_ = static_cast<int>(place - points.begin());
  points.insert(place, point);
  update();
  Q_EMIT chosen_changed(chosen_);
  Q_EMIT changed(curve_, finished);
}

// On the curve, halfway between the selected point and the next one, or before the last one.
void CurvePlot::add_after_chosen() {
  const auto left = static_cast<std::size_t>(std::min(chosen_, count() - 2));
  const double x = (curve_.points[left].x + curve_.points[left + 1].x) / 2;
  add({x, std::clamp(curve_at(pieces_of(curve_), x), range_.min, range_.max)}, true);
}

void CurvePlot::remove(int point) {
  if (count() <= 2) return;
  curve_.points.erase(curve_.points.begin() + point);
  chosen_ = std::min(point, count() - 1);
  update();
  Q_EMIT chosen_changed(chosen_);
  Q_EMIT changed(curve_, true);
}

void CurvePlot::move_to(Curve::Point to) {
  auto& points = curve_.points;
  const auto at = static_cast<std::size_t>(chosen_);
  const double gap = least_gap * (range_.max - range_.min);
  const double low = at > 0 ? points[at - 1].x + gap : range_.min;
  const double high = at + 1 < points.size() ? points[at + 1].x - gap : range_.max;
  // Neighbours from a file may be closer than two gaps; x stays unchanged then.
  to.x = low <= high ? std::clamp(to.x, low, high) : points[at].x;
  to.y = std::clamp(to.y, range_.min, range_.max);
  if (to == points[at]) return;
  points[at] = to;
  update();
  Q_EMIT changed(curve_, false);
}

void CurvePlot::nudge(double dx, double dy) {
  const double span = range_.max - range_.min;
  const auto clean = [](double v) { return std::round(v * 1e9) / 1e9; };
  const Curve::Point& from = chosen_point();
  move_to({clean(from.x + dx * span), clean(from.y + dy * span)});
}

void CurvePlot::mousePressEvent(QMouseEvent* event) {
  const int point = point_at(event->position());
  if (event->button() == Qt::RightButton && point >= 0) remove(point);
  if (event->button() != Qt::LeftButton) return;
  dragging_ = true;
  grip_ = {};
  if (point >= 0) {
    choose(point);
    grip_ = event->position() - place_of(chosen_point());
  } else {
    add(value_at(event->position()), false);
  }
}

void CurvePlot::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) move_to(value_at(event->position() - grip_));
}

void CurvePlot::mouseReleaseEvent(QMouseEvent*) {
  if (!dragging_) return;
  dragging_ = false;
  Q_EMIT settled();
}

void CurvePlot::keyPressEvent(QKeyEvent* event) {
  const double far = event->modifiers().testFlag(Qt::ShiftModifier) ? far_step : small_step;
  switch (event->key()) {
    case Qt::Key_Left:
      return nudge(-far, 0);
    case Qt::Key_Right:
      return nudge(far, 0);
    case Qt::Key_Down:
      return nudge(0, -far);
    case Qt::Key_Up:
      return nudge(0, far);
    case Qt::Key_Home:
      return choose(0);
    case Qt::Key_End:
      return choose(count() - 1);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      return remove(chosen_);
    case Qt::Key_Insert:
    case Qt::Key_Plus:
      return add_after_chosen();
    default:
      QWidget::keyPressEvent(event);
  }
}

void CurvePlot::keyReleaseEvent(QKeyEvent* event) {
  if (event->isAutoRepeat()) return;
  Q_EMIT settled();
  QWidget::keyReleaseEvent(event);
}

void CurvePlot::focusInEvent(QFocusEvent* event) {
  if (event->reason() == Qt::TabFocusReason) choose(0);
  if (event->reason() == Qt::BacktabFocusReason) choose(count() - 1);
  QWidget::focusInEvent(event);
}

bool CurvePlot::focusNextPrevChild(bool next) {
  const int neighbour = chosen_ + (next ? 1 : -1);
  if (neighbour < 0 || neighbour >= count()) return QWidget::focusNextPrevChild(next);
  choose(neighbour);
  return true;
}

void CurvePlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_grid(painter);
  paint_curve(painter);
  paint_points(painter);
}

void CurvePlot::paint_grid(QPainter& painter) const {
  const QRectF area = square();
  painter.fillRect(area, palette().color(QPalette::Base));
  painter.setPen(QPen(muted(palette(), 0.18), 1));
  for (int i = 1; i < 4; ++i) {
    const double at = std::round(area.width() * i / 4) + 0.5;
    painter.drawLine(QPointF(area.left() + at, area.top()), {area.left() + at, area.bottom()});
    painter.drawLine(QPointF(area.left(), area.top() + at), {area.right(), area.top() + at});
  }
  painter.setPen(QPen(muted(palette(), 0.3), 1, Qt::DashLine));
  painter.drawLine(area.bottomLeft(), area.topRight());
  painter.setPen(QPen(muted(palette(), hasFocus() ? 0.8 : 0.45), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
}

void CurvePlot::paint_curve(QPainter& painter) const {
  const QRectF area = square();
  const std::vector<CurvePiece> pieces = pieces_of(curve_);
  const double span = range_.max - range_.min;
  QPolygonF line;
  for (double x = 0; x <= area.width(); x += 0.5) {
    const double in = range_.min + x / area.width() * span;
    line << place_of({in, curve_at(pieces, in)});
  }
  painter.save();
  painter.setClipRect(area);
  painter.setPen(QPen(palette().color(QPalette::Text), 1.6));
  painter.drawPolyline(line);
  painter.restore();
}

void CurvePlot::paint_points(QPainter& painter) const {
  for (int i = 0; i < count(); ++i) {
    const bool marked = i == chosen_;
    painter.setPen(QPen(palette().color(marked ? QPalette::Highlight : QPalette::Text), 1.6));
    painter.setBrush(palette().color(marked ? QPalette::Highlight : QPalette::Base));
    const QPointF place = place_of(curve_.points[static_cast<std::size_t>(i)]);
    painter.drawEllipse(place, radius, radius);
    if (!marked || !hasFocus()) continue;
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(place, radius + 3, radius + 3);
  }
}

}  // namespace sfumato::gui
