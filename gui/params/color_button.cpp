// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A button that shows a colour.
#include "params/color_button.hpp"

#include <QColorDialog>
#include <QPainter>
#include <QStyleOptionButton>
#include <algorithm>
#include <cmath>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

// A component that the user did not change in the dialog, which works in 0..255, keeps its exact
// value.
double part_of(double old, int before, int now) {
  return before == now ? old : now / 255.0;
}

}  // namespace

QColor screen_color(const Color& color) {
  const auto byte = [](double v) {
    return static_cast<int>(std::lround(std::clamp(v, 0.0, 1.0) * 255));
  };
  return {byte(color.r), byte(color.g), byte(color.b), byte(color.a)};
}

void paint_checkerboard(QPainter& painter, const QRect& rect, const QPointF& origin) {
  static const QImage squares = [] {
    constexpr int square = 5;
    QImage image(2 * square, 2 * square, QImage::Format_RGB32);
    image.fill(Qt::white);
    for (int y = 0; y < 2 * square; ++y) {
      for (int x = 0; x < 2 * square; ++x) {
        if (x / square == y / square) image.setPixelColor(x, y, Qt::lightGray);
      }
    }
    return image;
  }();
  painter.save();
  painter.setBrushOrigin(origin);
  painter.fillRect(rect, QBrush(squares));
  painter.restore();
}

void paint_swatch(QPainter& painter, const QRect& rect, const Color& color) {
  if (color.a < 1) paint_checkerboard(painter, rect, rect.topLeft());
  painter.fillRect(rect, screen_color(color));
}

ColorButton::ColorButton(QWidget* parent) : QPushButton(parent) {
  setAutoDefault(false);
  connect(this, &QPushButton::clicked, this, &ColorButton::open_dialog);
}

void ColorButton::set_color(const Color& color) {
  color_ = color;
  update();
}

QSize ColorButton::sizeHint() const {
  const int height = QPushButton::sizeHint().height();
  return {height * 2, height};
}

void ColorButton::paintEvent(QPaintEvent* event) {
  QPushButton::paintEvent(event);
  QPainter painter(this);
  QStyleOptionButton option;
  initStyleOption(&option);
  const QRect inside = rect().adjusted(5, 5, -5, -5);
  paint_swatch(painter, inside, color_);
  painter.setPen(muted(palette(), 0.5));
  painter.drawRect(inside.adjusted(0, 0, -1, -1));
}

void ColorButton::open_dialog() {
  if (dialog_) {
    dialog_->raise();
    return;
  }
  before_ = color_;
  dialog_ = new QColorDialog(screen_color(color_), this);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->setOption(QColorDialog::ShowAlphaChannel);
  // The desktop's own dialog does not report changes while it is open.
  dialog_->setOption(QColorDialog::DontUseNativeDialog);
  dialog_->setWindowTitle(accessibleName());
  connect(dialog_, &QColorDialog::currentColorChanged, this, &ColorButton::take);
  connect(dialog_, &QDialog::finished, this,
          [this](int result) { close_dialog(result == QDialog::Accepted); });
  dialog_->open();
}

void ColorButton::take(const QColor& now) {
  const QColor old = screen_color(color_);
  const Color color{
      part_of(color_.r, old.red(), now.red()), part_of(color_.g, old.green(), now.green()),
      part_of(color_.b, old.blue(), now.blue()), part_of(color_.a, old.alpha(), now.alpha())};
  set_color(color);
  Q_EMIT picked(color_, false);
}

void ColorButton::close_dialog(bool accepted) {
  dialog_ = nullptr;
  if (!accepted) set_color(before_);
  Q_EMIT picked(color_, true);
}

}  // namespace sfumato::gui
