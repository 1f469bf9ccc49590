// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A button that shows a colour and opens the colour dialog.
#pragma once

#include <QPointer>
#include <QPushButton>

#include "params/value.hpp"

class QColorDialog;
class QPainter;

namespace sfumato::gui {

/// For the screen: clips components to 0..1.
QColor screen_color(const Color& color);

/// Fills with the colour, over a checkerboard if it is transparent.
void paint_swatch(QPainter& painter, const QRect& rect, const Color& color);
/// A corner of its squares is at `origin`, wherever `rect` begins.
void paint_checkerboard(QPainter& painter, const QRect& rect, const QPointF& origin);

/// Emits changes while the dialog is open (unfinished) and when it closes (finished); cancelling
/// restores the old colour. GUI thread only.
class ColorButton final : public QPushButton {
  Q_OBJECT

 public:
  explicit ColorButton(QWidget* parent = nullptr);

  void set_color(const Color& color);
  const Color& color() const { return color_; }
  QSize sizeHint() const override;

  /// Opens the dialog, or brings it to the front.
  void open_dialog();
  bool dialog_is_open() const { return !dialog_.isNull(); }

 Q_SIGNALS:
  void picked(const sfumato::Color& color, bool finished);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void take(const QColor& picked);
  void close_dialog(bool accepted);

  Color color_, before_;
  QPointer<QColorDialog> dialog_;
};

}  // namespace sfumato::gui
