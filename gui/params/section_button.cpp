// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The heading of a collapsible section.
#include "params/section_button.hpp"

#include <QPainter>
#include <QStyleOption>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int arrow = 12, arrow_gap = 6;

}  // namespace

SectionButton::SectionButton(const QString& text, QWidget* parent) : QToolButton(parent) {
  setText(text);
  setAccessibleName(text);
  setCheckable(true);
  setArrowType(Qt::RightArrow);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QToolButton::toggled, this,
          [this](bool open) { setArrowType(open ? Qt::DownArrow : Qt::RightArrow); });
}

QSize SectionButton::sizeHint() const {
  return {arrow + arrow_gap + fontMetrics().horizontalAdvance(text()) + 40,
          fontMetrics().height() + 10};
}

void SectionButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QStyleOption option;
  option.initFrom(this);
  option.rect = QRect(0, (height() - arrow) / 2, arrow, arrow);
  style()->drawPrimitive(
      isChecked() ? QStyle::PE_IndicatorArrowDown : QStyle::PE_IndicatorArrowRight, &option,
      &painter, this);
  const int left = arrow + arrow_gap, wide = fontMetrics().horizontalAdvance(text());
  painter.setPen(muted(palette(), underMouse() ? 1 : 0.8));
  painter.drawText(QRect(left, 0, wide + 1, height()), Qt::AlignVCenter, text());
  painter.setPen(muted(palette(), 0.2));
  painter.drawLine(left + wide + 2 * arrow_gap, height() / 2, width(), height() / 2);
  if (!hasFocus()) return;
  QStyleOptionFocusRect focus;
  focus.initFrom(this);
  focus.rect = QRect(0, 2, left + wide + arrow_gap, height() - 4);
  style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
}

}  // namespace sfumato::gui
