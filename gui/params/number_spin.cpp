// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A spin box for exact numbers.
#include "params/number_spin.hpp"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStyleOptionSpinBox>
#include <QTimer>

#include "params/model_text.hpp"

namespace sfumato::gui {

NumberSpin::NumberSpin(QWidget* parent) : QDoubleSpinBox(parent), rest_(new QTimer(this)) {
  guard_wheel(this);
  setAlignment(Qt::AlignRight);
  setGroupSeparatorShown(false);
  setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  sample_ = QStringLiteral("-000.000");
  rest_->setSingleShot(true);
  rest_->setInterval(400);
  connect(rest_, &QTimer::timeout, this, &NumberSpin::settled);
  connect(this, &QDoubleSpinBox::valueChanged, this, &NumberSpin::edited);
  connect(this, &QDoubleSpinBox::editingFinished, this, &NumberSpin::settled);
}

void NumberSpin::set_decimals(int shown, int kept) {
  shown_ = shown;
  setDecimals(kept);
}

QString NumberSpin::textFromValue(double value) const {
  QString text = locale().toString(value, 'f', decimals());
  text.remove(locale().groupSeparator());
  const auto point = text.indexOf(locale().decimalPoint());
  if (point < 0) return text;
  auto end = text.size();
  while (end > point + 1 + shown_ && text[end - 1] == locale().zeroDigit()) --end;
  if (end == point + 1) end = point;
  return text.left(end);
}

QString NumberSpin::with_own_point(QString text) const {
  const QString point = locale().decimalPoint();
  text.replace(QLatin1Char('.'), point);
  return point == QLatin1String(",") ? text : text.replace(QLatin1Char(','), point);
}

double NumberSpin::valueFromText(const QString& text) const {
  return QDoubleSpinBox::valueFromText(with_own_point(text));
}

QValidator::State NumberSpin::validate(QString& text, int& cursor) const {
  text = with_own_point(text);
  return QDoubleSpinBox::validate(text, cursor);
}

QSize NumberSpin::sizeHint() const {
  ensurePolished();
  QStyleOptionSpinBox option;
  initStyleOption(&option);
  const int width = fontMetrics().horizontalAdvance(sample_) + 6;
  return style()->sizeFromContents(QStyle::CT_SpinBox, &option,
                                   {width, lineEdit()->sizeHint().height()}, this);
}

void NumberSpin::keyReleaseEvent(QKeyEvent* event) {
  QDoubleSpinBox::keyReleaseEvent(event);
  const int key = event->key();
  const bool steps =
      key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
  if (steps && !event->isAutoRepeat()) Q_EMIT settled();
}

void NumberSpin::mouseReleaseEvent(QMouseEvent* event) {
  QDoubleSpinBox::mouseReleaseEvent(event);
  Q_EMIT settled();
}

void NumberSpin::wheelEvent(QWheelEvent* event) {
  QDoubleSpinBox::wheelEvent(event);
  rest_->start();
}

}  // namespace sfumato::gui
