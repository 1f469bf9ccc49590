// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Drawn on a grid of 16 points, with lines through pixel centres.
#include "app/step_icons.hpp"

#include <QPainter>
#include <QPixmap>
#include <QPolygonF>
#include <QWidget>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int side = 16;

void draw_arrow(QPainter& painter, bool up) {
  if (!up) {  // mirrored vertically
    painter.translate(0, side);
    painter.scale(1, -1);
  }
  painter.drawLine(QPointF(8, 2.5), QPointF(8, 13.5));
  painter.drawPolyline(QPolygonF{{3.5, 7}, {8, 2.5}, {12.5, 7}});
}

void draw_sheets(QPainter& painter, const QColor& paper) {
  painter.setBrush(paper);
  painter.drawRect(QRectF(5.5, 1.5, 9, 9));
  painter.drawRect(QRectF(1.5, 5.5, 9, 9));
}

void draw_bin(QPainter& painter) {
  painter.drawLine(QPointF(2.5, 4.5), QPointF(13.5, 4.5));
  painter.drawPolyline(QPolygonF{{6.5, 4.5}, {6.5, 2.5}, {9.5, 2.5}, {9.5, 4.5}});
  painter.drawPolyline(QPolygonF{{4.5, 4.5}, {4.5, 14.5}, {11.5, 14.5}, {11.5, 4.5}});
  painter.drawLine(QPointF(6.5, 7.5), QPointF(6.5, 12));
  painter.drawLine(QPointF(9.5, 7.5), QPointF(9.5, 12));
}

QPixmap drawn(StepIcon which, const QWidget& widget, double strength) {
  const double ratio = widget.devicePixelRatioF();
  QPixmap pixmap(QSize(side, side) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(muted(widget.palette(), strength), 1));
  if (which == StepIcon::duplicate) {
    draw_sheets(painter, widget.palette().color(QPalette::Button));
  } else if (which == StepIcon::remove) {
    draw_bin(painter);
  } else {
    draw_arrow(painter, which == StepIcon::up);
  }
  return pixmap;
}

}  // namespace

QIcon step_icon(StepIcon which, const QWidget& widget) {
  QIcon icon(drawn(which, widget, 0.85));
  icon.addPixmap(drawn(which, widget, 0.35), QIcon::Disabled);
  return icon;
}

}  // namespace sfumato::gui
