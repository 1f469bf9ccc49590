// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slider that jumps to the clicked position.
#include "params/number_slider.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyleOptionSlider>
#include <QTimer>
#include <QWheelEvent>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

int steps_of(int key) {
  switch (key) {
    case Qt::Key_Right:
    case Qt::Key_Up:
      return 1;
    case Qt::Key_Left:
    case Qt::Key_Down:
      return -1;
    case Qt::Key_PageUp:
      return 10;
    case Qt::Key_PageDown:
      return -10;
    default:
      return 0;
  }
}

}  // namespace

NumberSlider::NumberSlider(QWidget* parent)
    : QSlider(Qt::Horizontal, parent), rest_(new QTimer(this)) {
  setRange(0, positions);
  guard_wheel(this);
  setMinimumWidth(80);
  rest_->setSingleShot(true);
  rest_->setInterval(400);
  connect(rest_, &QTimer::timeout, this, &NumberSlider::settled);
}

QRect NumberSlider::handle() const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  return style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
}

int NumberSlider::position_at(int x) const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  const int length = handle().width();
  return QStyle::sliderValueFromPosition(minimum(), maximum(), x - length / 2, width() - length,
                                         option.upsideDown);
}

void NumberSlider::go(int position) {
  if (position == value()) return;
  setValue(position);
  Q_EMIT moved(value());
}

void NumberSlider::keyPressEvent(QKeyEvent* event) {
  if (const int steps = steps_of(event->key()); steps != 0) {
    Q_EMIT stepped(steps);
  } else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End) {
    go(event->key() == Qt::Key_Home ? minimum() : maximum());
  } else {
    QSlider::keyPressEvent(event);
  }
}

void NumberSlider::keyReleaseEvent(QKeyEvent* event) {
  QSlider::keyReleaseEvent(event);
  if (!event->isAutoRepeat()) Q_EMIT settled();
}

void NumberSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    QSlider::mousePressEvent(event);
    return;
  }
  const QRect at = handle();
  const int x = event->position().toPoint().x();
  const bool taken = x >= at.left() && x <= at.right();
  grip_ = taken ? x - at.center().x() : 0;
  setSliderDown(true);
  if (!taken) go(position_at(x));
}

void NumberSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) go(position_at(event->position().toPoint().x() - grip_));
}

void NumberSlider::mouseReleaseEvent(QMouseEvent*) {
  if (!isSliderDown()) return;
  setSliderDown(false);
  Q_EMIT settled();
}

void NumberSlider::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT default_wanted();
}

void NumberSlider::wheelEvent(QWheelEvent* event) {
  const QPoint turn = event->angleDelta();
  wheel_angle_ += turn.y() != 0 ? turn.y() : turn.x();
  constexpr int notch = QWheelEvent::DefaultDeltasPerStep;
  const int steps = wheel_angle_ / notch;
  wheel_angle_ %= notch;
  if (steps != 0) Q_EMIT stepped(steps);
  rest_->start();
  event->accept();
}

void NumberSlider::focusOutEvent(QFocusEvent* event) {
  QSlider::focusOutEvent(event);
  Q_EMIT settled();
}

}  // namespace sfumato::gui
