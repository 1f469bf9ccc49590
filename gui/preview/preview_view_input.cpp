// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Mouse and keyboard input of the preview.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "preview/preview_view.hpp"

namespace sfumato::gui {
namespace {

constexpr int grab_width = 6;  // points on either side of the divider

}  // namespace

void PreviewView::wheelEvent(QWheelEvent* event) {
  const double turns = event->angleDelta().y() / 120.0;
  if (turns != 0) zoom_to(zoom_ * std::pow(1.25, turns), event->position());
  event->accept();
}

void PreviewView::mousePressEvent(QMouseEvent* event) {
  pressed_at_ = event->position();
  const bool left = event->button() == Qt::LeftButton;
  const bool on_divider = mode_ == PreviewMode::split &&
                          std::abs(event->position().x() - divider_ * width()) <= grab_width;
  if (event->button() == Qt::MiddleButton || (left && space_held_)) {
    drag_ = Drag::pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (left && on_divider) {
    drag_ = Drag::divider;
  } else if (left && mode_ == PreviewMode::single) {
    drag_ = Drag::hold;
    show_before_ = true;
    update();
  } else if (left) {
    drag_ = Drag::pan;
    setCursor(Qt::ClosedHandCursor);
  }
}

void PreviewView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (drag_ == Drag::pan) {
    fits_ = false;
    centre_ -= (at - pressed_at_) / points_per_pixel();
    pressed_at_ = at;
    view_moved();
  } else if (drag_ == Drag::divider) {
    divider_ = std::clamp(at.x() / std::max(1, width()), 0.0, 1.0);
    update();
  } else if (drag_ == Drag::none) {
    const bool on_divider =
        mode_ == PreviewMode::split && std::abs(at.x() - divider_ * width()) <= grab_width;
    setCursor(on_divider ? Qt::SplitHCursor : space_held_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
  }
  hover_ = at;
  tell_pixel();
}

void PreviewView::mouseReleaseEvent(QMouseEvent*) {
  drag_ = Drag::none;
  setCursor(Qt::ArrowCursor);
  show_before_ = false;
  update();
}

void PreviewView::leaveEvent(QEvent*) {
  hover_.reset();
  tell_pixel();
}

// Its keys work only with the focus, so a focus gained by keyboard is shown; with the mouse it is
// obvious.
void PreviewView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  const Qt::FocusReason why = event->reason();
  shows_focus_ = why == Qt::TabFocusReason || why == Qt::BacktabFocusReason;
  update();
}

// Releases of held keys may go elsewhere unnoticed.
void PreviewView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  space_held_ = show_before_ = shows_focus_ = false;
  if (drag_ == Drag::none) setCursor(Qt::ArrowCursor);
  update();
}

bool PreviewView::zoom_key(int key) {
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom_in();
      return true;
    case Qt::Key_Minus:
      zoom_out();
      return true;
    case Qt::Key_0:
      fit();
      return true;
    case Qt::Key_1:
      zoom_full();
      return true;
    default:
      return false;
  }
}

// Keyboard alternatives: Shift with arrows moves the divider, B held shows before.
bool PreviewView::compare_key(const QKeyEvent& event) {
  constexpr double step = 0.02;  // of the width
  const int key = event.key();
  if (key == Qt::Key_B && mode_ == PreviewMode::single) {
    show_before_ = true;
  } else if ((key == Qt::Key_Left || key == Qt::Key_Right) &&
             event.modifiers() == Qt::ShiftModifier && mode_ == PreviewMode::split) {
    divider_ = std::clamp(divider_ + (key == Qt::Key_Left ? -step : step), 0.0, 1.0);
  } else {
    return false;
  }
  update();
  return true;
}

void PreviewView::keyPressEvent(QKeyEvent* event) {
  if (compare_key(*event)) return;
  const double step = 64 / points_per_pixel();
  switch (event->key()) {
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) space_held_ = true;
      setCursor(Qt::OpenHandCursor);
      return;
    case Qt::Key_Escape:
      // The window may use a second Escape.
      if (!renderer_.is_busy()) event->ignore();
      cancel_render();
      return;
    case Qt::Key_F5:
      render_again();
      return;
    case Qt::Key_Left:
      look_at(centre_ - QPointF(step, 0));
      return;
    case Qt::Key_Right:
      look_at(centre_ + QPointF(step, 0));
      return;
    case Qt::Key_Up:
      look_at(centre_ - QPointF(0, step));
      return;
    case Qt::Key_Down:
      look_at(centre_ + QPointF(0, step));
      return;
    default:
      if (!zoom_key(event->key())) QWidget::keyPressEvent(event);
  }
}

void PreviewView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    space_held_ = false;
    setCursor(Qt::ArrowCursor);
  } else if (event->key() == Qt::Key_B && !event->isAutoRepeat()) {
    show_before_ = false;
    update();
  } else {
    QWidget::keyReleaseEvent(event);
  }
}

}  // namespace sfumato::gui
