// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Painted on the background of tooltips, so that they are legible over any picture.
#include "preview/overlays.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int side_space = 9, top_space = 5;  // around a badge's text
constexpr int ring_side = 46, ring_width = 4;
constexpr int text_flags = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;

void paint_ground(QPainter& painter, const QWidget& widget, float opacity) {
  painter.setRenderHint(QPainter::Antialiasing);
  QColor ground = widget.palette().color(QPalette::ToolTipBase);
  QColor edge = widget.palette().color(QPalette::ToolTipText);
  ground.setAlphaF(opacity);
  edge.setAlphaF(0.25f);
  painter.setPen(edge);
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

}  // namespace

Badge::Badge(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void Badge::say(const QString& text, Weight weight, const QString& hint) {
  weight_ = weight;
  clickable_ = !hint.isEmpty();
  setText(text);
  setToolTip(plain_tip(hint));
  setAccessibleName(text);
  setAccessibleDescription(hint);
  setEnabled(clickable_);
  setAttribute(Qt::WA_TransparentForMouseEvents, !clickable_);
  setFocusPolicy(clickable_ ? Qt::TabFocus : Qt::NoFocus);
  setCursor(clickable_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setVisible(!text.isEmpty());
  update();
}

QSize Badge::size_in(int width) const {
  const QRect room(0, 0, width - 2 * side_space, 1 << 16);
  const QSize text_size = fontMetrics().boundingRect(room, text_flags, text()).size();
  return text_size + QSize(2 * side_space + 1, 2 * top_space);
}

QColor Badge::ink() const {
  if (weight_ == Weight::fault) {
    QPalette on_tip = palette();
    on_tip.setColor(QPalette::Window, palette().color(QPalette::ToolTipBase));
    return error_color(on_tip);
  }
  QColor color = palette().color(QPalette::ToolTipText);
  if (weight_ == Weight::quiet) color.setAlphaF(0.75f);
  return color;
}

void Badge::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_ground(painter, *this, weight_ == Weight::quiet ? 0.6f : 0.92f);
  QFont font = this->font();
  font.setUnderline(clickable_ && (hovered_ || hasFocus()));
  painter.setFont(font);
  painter.setPen(ink());
  painter.drawText(rect().adjusted(side_space, top_space, -side_space, -top_space), text_flags,
                   text());
}

void Badge::enterEvent(QEnterEvent* event) {
  hovered_ = true;
  update();
  QAbstractButton::enterEvent(event);
}

void Badge::leaveEvent(QEvent* event) {
  hovered_ = false;
  update();
  QAbstractButton::leaveEvent(event);
}

ProgressRing::ProgressRing(QWidget* parent) : QWidget(parent), cancel_(new QToolButton(this)) {
  setAccessibleName(tr("Rendering"));
  setCursor(Qt::ArrowCursor);
  cancel_->setText(tr("Cancel"));
  cancel_->setAccessibleName(tr("Cancel rendering"));
  cancel_->setToolTip(tr("Cancel rendering (Esc)"));
  cancel_->setFocusPolicy(Qt::TabFocus);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(ring_side + 16, 8, 8, 8);
  layout->addWidget(cancel_);
  connect(cancel_, &QToolButton::clicked, this, &ProgressRing::cancelled);
  hide();
}

QSize ProgressRing::sizeHint() const {
  const QSize button = cancel_->sizeHint();
  return {ring_side + 24 + button.width(), std::max(ring_side, button.height()) + 16};
}

void ProgressRing::set_progress(double part) {
  progress_ = std::clamp(part, 0.0, 1.0);
  setAccessibleDescription(tr("%1 % done").arg(static_cast<int>(progress_ * 100)));
  update();
}

void ProgressRing::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_ground(painter, *this, 0.92f);
  const QRectF ring =
      QRectF(8, (height() - ring_side) / 2.0, ring_side, ring_side)
          .adjusted(ring_width / 2.0, ring_width / 2.0, -ring_width / 2.0, -ring_width / 2.0);
  const QColor text = palette().color(QPalette::ToolTipText);
  QColor rest = text;
  rest.setAlphaF(0.2f);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(rest, ring_width));
  painter.drawEllipse(ring);
  painter.setPen(
      QPen(palette().color(QPalette::Highlight), ring_width, Qt::SolidLine, Qt::RoundCap));
  constexpr int turn = 360 * 16;  // clockwise from the top
  painter.drawArc(ring, turn / 4, -static_cast<int>(std::lround(progress_ * turn)));
  QFont small = font();
  small.setPixelSize(ring_side * 2 / 9);
  painter.setFont(small);
  painter.setPen(text);
  painter.drawText(ring, Qt::AlignCenter,
                   tr("%1 %", "of a render").arg(static_cast<int>(progress_ * 100)));
}

}  // namespace sfumato::gui
