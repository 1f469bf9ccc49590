// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A gradient as a bar, with its stops as handles.
#include "params/gradient_bar.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "filters/shared/color_gradient.hpp"
#include "params/color_button.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int bar_height = 30, handle_width = 13, handle_height = 18;
constexpr double nudge = 0.01, far_nudge = 0.1;

double tidy(double position) {
  return std::round(position * 1000) / 1000;
}

Color color_of(const std::vector<Ramp>& ramps, double position) {
  const auto c = color_at(ramps, position);
  return {c[0], c[1], c[2], c[3]};
}

}  // namespace

GradientBar::GradientBar(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  set_gradient({{{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}}});
}

void GradientBar::set_gradient(const Gradient& gradient) {
  gradient_ = gradient;
  choose(std::min(chosen_, count() - 1));
  update();
}

void GradientBar::choose(int stop) {
  if (stop != chosen_) {
    chosen_ = stop;
    Q_EMIT chosen_changed(stop);
  }
  update();
}

const Gradient::Stop& GradientBar::chosen_stop() const {
  return gradient_.stops[static_cast<std::size_t>(chosen_)];
}

QSize GradientBar::sizeHint() const {
  return {160, bar_height + handle_height};
}

QRect GradientBar::bar() const {
  return {handle_width / 2, 0, width() - handle_width + 1, bar_height};
}

int GradientBar::x_of(double position) const {
  return bar().left() + static_cast<int>(std::lround(position * (bar().width() - 1)));
}

double GradientBar::position_at(int x) const {
  const double along = static_cast<double>(x - bar().left()) / std::max(1, bar().width() - 1);
  return tidy(std::clamp(along, 0.0, 1.0));
}

QRect GradientBar::handle(int stop) const {
  const int x = x_of(gradient_.stops[static_cast<std::size_t>(stop)].position);
  return {x - handle_width / 2, bar_height - 4, handle_width, handle_height + 4};
}

// Among handles at one position, the one that can still move: the last, unless all are at the end.
int GradientBar::stop_at(const QPoint& point) const {
  if (handle(chosen_).contains(point)) return chosen_;
  int found = -1;
  for (int i = 0; i < count(); ++i) {
    const bool stuck = found >= 0 && gradient_.stops[static_cast<std::size_t>(i)].position >= 1;
    if (handle(i).contains(point) && !stuck) found = i;
  }
  return found;
}

void GradientBar::add(double position, bool finished) {
  const Color color = color_of(ramps_of(gradient_, Light::display), position);
  auto& stops = gradient_.stops;
  const auto place =
      std::upper_bound(stops.begin(), stops.end(), position,
                       [](double p, const Gradient::Stop& stop) { return p < stop.position; });
  const int index = static_cast<int>(place - stops.begin());
  stops.insert(place, {position, color});
  chosen_ = index;
  Q_EMIT chosen_changed(index);
  update();
  Q_EMIT changed(gradient_, finished);
}

// Halfway between the selected stop and the next one, or before the last one.
void GradientBar::add_after_chosen() {
  const auto& stops = gradient_.stops;
  const std::size_t at = static_cast<std::size_t>(chosen_);
  const bool last = at + 1 == stops.size();
  const double from = last && at > 0 ? stops[at - 1].position : stops[at].position;
  const double to = last ? (at > 0 ? stops[at].position : 1.0) : stops[at + 1].position;
  add((from + to) / 2, true);
}

void GradientBar::remove(int stop) {
  if (count() < 2) return;
  gradient_.stops.erase(gradient_.stops.begin() + stop);
  chosen_ = std::min(stop, count() - 1);
  Q_EMIT chosen_changed(chosen_);
  update();
  Q_EMIT changed(gradient_, true);
}

void GradientBar::move_to(double position) {
  auto& stops = gradient_.stops;
  const std::size_t at = static_cast<std::size_t>(chosen_);
  const double low = at > 0 ? stops[at - 1].position : 0;
  const double high = at + 1 < stops.size() ? stops[at + 1].position : 1;
  const double inside = std::clamp(position, low, high);
  if (inside == stops[at].position) return;
  stops[at].position = inside;
  update();
  Q_EMIT changed(gradient_, false);
}

void GradientBar::mousePressEvent(QMouseEvent* event) {
  const QPoint point = event->position().toPoint();
  const int stop = stop_at(point);
  if (event->button() == Qt::RightButton && stop >= 0) remove(stop);
  if (event->button() != Qt::LeftButton) return;
  dragging_ = true;
  grip_ = 0;
  if (stop >= 0) {
    grip_ = point.x() - handle(stop).center().x();
    choose(stop);
  } else {
    add(position_at(point.x()), false);
  }
}

void GradientBar::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) move_to(position_at(event->position().toPoint().x() - grip_));
}

void GradientBar::mouseReleaseEvent(QMouseEvent*) {
  if (!dragging_) return;
  dragging_ = false;
  Q_EMIT settled();
}

void GradientBar::mouseDoubleClickEvent(QMouseEvent* event) {
  const int stop = stop_at(event->position().toPoint());
  if (event->button() != Qt::LeftButton || stop < 0) return;
  choose(stop);
  Q_EMIT color_wanted();
}

void GradientBar::keyPressEvent(QKeyEvent* event) {
  const double far = event->modifiers().testFlag(Qt::ShiftModifier) ? far_nudge : nudge;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      move_to(tidy(chosen_stop().position + (event->key() == Qt::Key_Left ? -far : far)));
      break;
    case Qt::Key_Up:
    case Qt::Key_Down:
      choose(std::clamp(chosen_ + (event->key() == Qt::Key_Up ? -1 : 1), 0, count() - 1));
      break;
    case Qt::Key_Home:
      choose(0);
      break;
    case Qt::Key_End:
      choose(count() - 1);
      break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      remove(chosen_);
      break;
    case Qt::Key_Insert:
    case Qt::Key_Plus:
      add_after_chosen();
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      Q_EMIT color_wanted();
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void GradientBar::keyReleaseEvent(QKeyEvent* event) {
  if (event->isAutoRepeat()) return;
  Q_EMIT settled();
  QWidget::keyReleaseEvent(event);
}

void GradientBar::focusInEvent(QFocusEvent* event) {
  if (event->reason() == Qt::TabFocusReason) choose(0);
  if (event->reason() == Qt::BacktabFocusReason) choose(count() - 1);
  QWidget::focusInEvent(event);
  update();
}

bool GradientBar::focusNextPrevChild(bool next) {
  const int neighbour = chosen_ + (next ? 1 : -1);
  if (neighbour < 0 || neighbour >= count()) return QWidget::focusNextPrevChild(next);
  choose(neighbour);
  return true;
}

void GradientBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect area = bar();
  paint_checkerboard(painter, area, area.topLeft());
  const std::vector<Ramp> ramps = ramps_of(gradient_, Light::display);
  const qreal step = 1 / devicePixelRatioF();  // one column of the screen
  for (qreal x = 0; x < area.width(); x += step) {
    const Color color = color_of(ramps, x / std::max(1, area.width() - 1));
    painter.fillRect(QRectF(area.left() + x, area.top(), step, area.height()), screen_color(color));
  }
  painter.setPen(muted(palette(), 0.45));
  painter.drawRect(area.adjusted(0, 0, -1, -1));
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < count(); ++i) {
    if (i != chosen_) paint_handle(painter, i);
  }
  paint_handle(painter, chosen_);
}

// A house-shaped handle whose roof reaches into the bar, filled with the stop's colour.
void GradientBar::paint_handle(QPainter& painter, int stop) const {
  const QRectF box = QRectF(handle(stop)).adjusted(0.5, 0.5, -0.5, -0.5);
  const qreal roof = box.top() + box.width() / 2;
  QPainterPath house;
  house.addPolygon(QPolygonF({{box.center().x(), box.top()},
                              {box.right(), roof},
                              box.bottomRight(),
                              box.bottomLeft(),
                              {box.left(), roof}}));
  house.closeSubpath();
  const bool marked = stop == chosen_;
  const QColor line = marked ? palette().color(QPalette::Highlight) : muted(palette(), 0.6);
  painter.setPen(QPen(line, marked ? 2 : 1));
  painter.setBrush(palette().color(QPalette::Button));
  painter.drawPath(house);
  const QRect inside = QRectF(box.left(), roof, box.width(), box.bottom() - roof)
                           .adjusted(2.5, 1, -2.5, -2.5)
                           .toRect();
  paint_swatch(painter, inside, gradient_.stops[static_cast<std::size_t>(stop)].color);
  if (marked && hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1));
    painter.drawPath(house);
  }
}

}  // namespace sfumato::gui
