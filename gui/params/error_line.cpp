// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A line edit that reports errors in its text.
#include "params/error_line.hpp"

#include <QEvent>
#include <QPainter>
#include <limits>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

class FramedLine final : public QLineEdit {
 public:
  using QLineEdit::QLineEdit;

  void set_framed(bool on) {
    framed_ = on;
    update();
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QLineEdit::paintEvent(event);
    if (!framed_) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(error_color(palette()), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
  }

 private:
  bool framed_ = false;
};

}  // namespace

ErrorLine::ErrorLine(QWidget* parent) : QLabel(parent), line_(new FramedLine(parent)) {
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  line_->setMaxLength(std::numeric_limits<int>::max() / 4);
  hide();
  paint_text();
}

void ErrorLine::set_error(const QString& message) {
  static_cast<FramedLine*>(line_)->set_framed(true);
  setText(message);
  line_->setAccessibleDescription(message);
  show();
}

void ErrorLine::clear_error() {
  static_cast<FramedLine*>(line_)->set_framed(false);
  line_->setAccessibleDescription(line_->whatsThis());
  hide();
}

void ErrorLine::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) paint_text();
}

// Guarded, because setting a palette emits a change of palette.
void ErrorLine::paint_text() {
  QPalette colors = palette();
  const QColor red = error_color(colors);
  if (colors.color(QPalette::WindowText) == red) return;
  colors.setColor(QPalette::WindowText, red);
  setPalette(colors);
}

}  // namespace sfumato::gui
