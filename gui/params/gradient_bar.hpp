// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A gradient as a bar, with its stops as draggable handles.
#pragma once

#include <QWidget>

#include "params/value.hpp"

namespace sfumato::gui {

/// A click on the bar adds a stop, a drag moves one (stops may meet, but not pass), a double click
/// or Return edits its colour, Delete or a right click removes it. Tab moves between stops, arrow
/// keys nudge (further with Shift), Insert adds a stop after the selected one. GUI thread only.
class GradientBar final : public QWidget {
  Q_OBJECT

 public:
  explicit GradientBar(QWidget* parent = nullptr);

  /// Emits nothing; keeps the selected stop if possible.
  void set_gradient(const Gradient& gradient);
  const Gradient& gradient() const { return gradient_; }

  int chosen() const { return chosen_; }
  void choose(int stop);
  const Gradient::Stop& chosen_stop() const;
  bool dragging() const { return dragging_; }

  /// The position of a stop's handle, and of a value along the bar, in pixels.
  QRect handle(int stop) const;
  int x_of(double position) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void changed(const sfumato::Gradient& gradient, bool finished);
  void chosen_changed(int stop);
  void settled();
  void color_wanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  QRect bar() const;
  int count() const { return static_cast<int>(gradient_.stops.size()); }
  int stop_at(const QPoint& point) const;
  double position_at(int x) const;
  void add(double position, bool finished);
  void add_after_chosen();
  void remove(int stop);
  void move_to(double position);
  void paint_handle(QPainter& painter, int stop) const;

  Gradient gradient_;
  int chosen_ = 0;
  bool dragging_ = false;
  int grip_ = 0;  // from the handle's centre to the grabbed position
};

}  // namespace sfumato::gui
