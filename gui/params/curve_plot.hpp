// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A curve drawn in a square, its points to be dragged.
#pragma once

#include <QWidget>

#include "params/parameter.hpp"

namespace sfumato::gui {

/// A click adds a point, a drag moves one (x stays strictly rising), Delete or a right click
/// removes it (never under two). Tab goes from point to point, arrow keys nudge (with Shift
/// further), Insert adds a point after the chosen one. GUI thread only.
class CurvePlot final : public QWidget {
  Q_OBJECT

 public:
  /// `range` holds x and y.
  CurvePlot(const Range& range, QWidget* parent);

  /// Silent; the chosen point stays chosen where it can.
  void set_curve(const Curve& curve);
  const Curve& curve() const { return curve_; }

  int chosen() const { return chosen_; }
  void choose(int point);
  const Curve::Point& chosen_point() const;
  /// Moves the chosen point as near as its neighbours and the range let it.
  void move_to(Curve::Point to);
  bool dragging() const { return dragging_; }

  /// Where a point of the curve's plane is in the widget.
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
  QPointF grip_;  // from the point's middle to where it was taken
};

}  // namespace sfumato::gui
