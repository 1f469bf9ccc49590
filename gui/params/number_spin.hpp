// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A spin box for exact numbers, with short text and steps that differ from typing.
#pragma once

#include <QDoubleSpinBox>

class QTimer;

namespace sfumato::gui {

/// Shows no more decimals than a number has, but at least `shown`; as wide as `sample` requires
/// rather than its whole range. Both point and comma are accepted as decimal separators in any
/// language; neither groups digits. GUI thread only.
class NumberSpin final : public QDoubleSpinBox {
  Q_OBJECT

 public:
  explicit NumberSpin(QWidget* parent = nullptr);

  /// Number of decimals always shown, and at most kept.
  void set_decimals(int shown, int kept);
  void set_sample(const QString& sample) { sample_ = sample; }

  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& cursor) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  /// The user changed the number, by typing or in steps.
  void edited(double value);
  /// A gesture ended: typing, holding a key or a button, or turning the wheel.
  void settled();

 protected:
  void keyReleaseEvent(QKeyEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  // Typed text with the locale's decimal separator.
  QString with_own_point(QString text) const;

  int shown_ = 0;
  QString sample_;
  QTimer* rest_;
};

}  // namespace sfumato::gui
