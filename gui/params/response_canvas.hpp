// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Draws a response.
#pragma once

#include <QWidget>
#include <optional>

#include "params/response.hpp"

namespace sfumato::gui {

/// A kernel over pixels, as stems or, if they would touch, as an area; or a magnitude over
/// frequency, relative to the highest. GUI thread only.
class ResponseCanvas final : public QWidget {
 public:
  explicit ResponseCanvas(QWidget* parent);

  void show_response(const std::optional<Response>& response);
  void show_kernel(bool kernel);

  QSize sizeHint() const override { return {240, 92}; }
  QSize minimumSizeHint() const override { return {120, 92}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  // The curve and the visible part of the plane.
  struct Frame {
    QRectF area;
    double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
    QPointF place(double x, double y) const;
  };

  Frame frame() const;
  void fit();
  void paint_grid(QPainter& painter, const Frame& frame) const;
  void paint_kernel(QPainter& painter, const Frame& frame) const;
  void paint_magnitude(QPainter& painter, const Frame& frame) const;
  void paint_curve(QPainter& painter, const Frame& frame, const QPolygonF& line) const;

  std::optional<Response> response_;
  bool kernel_ = true;
  double x1_ = 1, y0_ = 0, y1_ = 1;  // ends of the axes
};

}  // namespace sfumato::gui
