// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A curve in a square, with draggable points.
#pragma once

#include <QWidget>

#include "params/parameter.hpp"

namespace sfumato::gui {

/// A click adds a point, a drag moves one (x stays strictly increasing), Delete or a right click
/// removes it (two always remain). Tab moves between points, arrow keys nudge (further with Shift),
/// Insert adds a point after the selected one. GUI thread only.
class CurvePlot final : public QWidget {
  Q_OBJECT

 public:
  /// `range` applies to x and y.
  CurvePlot(const Range& range, QWidget* parent);

  /// Emits nothing; keeps the selected point if possible.
  void set_curve(const Curve& curve);
  const Curve& curve() const { return curve_; }

  int chosen() const { return chosen_; }
  void choose(int point);
  const Curve::Point& chosen_point() const;
  /// Moves the selected point as close as its neighbours and the range allow.
  void move_to(Curve::Point to);
  bool dragging() const { return dragging_; }

  /// The widget position of a point of the curve.
  QPointF place_of(const Curve::Point& point) const;

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {240, 240}; }
  QSize minimumSizeHint() const override { return {120, 120}; }

 Q_SIGNALS:
  void changed(const sfumato::Curve& curve, bool finished);
  void chosen_changed(int point);
  void settled();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  QRectF square() const;
  int count() const { return static_cast<int>(curve_.points.size()); }
  int point_at(const QPointF& place) const;
  Curve::Point value_at(const QPointF& place) const;
  void add(const Curve::Point& point, bool finished);
  void add_after_chosen();
  void remove(int point);
  void nudge(double dx, double dy);
  void paint_grid(QPainter& painter) const;
  void paint_curve(QPainter& painter) const;
  void paint_points(QPainter& painter) const;

  Range range_;
  Curve curve_;
  int chosen_ = 0;
  bool dragging_ = false;
  QPointF grip_;  // from the point's centre to the grabbed position
};

}  // namespace sfumato::gui
