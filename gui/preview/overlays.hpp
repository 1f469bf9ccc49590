// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Overlays of the preview: its accuracy, and the progress of a render.
#pragma once

#include <QAbstractButton>
#include <QWidget>

class QToolButton;

namespace sfumato::gui {

/// A short text in the corner; a button if a click helps. Hidden without a text.
class Badge final : public QAbstractButton {
  Q_OBJECT

 public:
  enum class Weight { quiet, plain, fault };

  explicit Badge(QWidget* parent);

  /// `hint`, a tooltip, says what a click does; empty: the badge is not clickable.
  void say(const QString& text, Weight weight, const QString& hint = {});
  /// The size of the text at that width.
  QSize size_in(int width) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QColor ink() const;

  Weight weight_ = Weight::plain;
  bool clickable_ = false, hovered_ = false;
};

/// An arc and a percentage, and a button to cancel.
class ProgressRing final : public QWidget {
  Q_OBJECT

 public:
  explicit ProgressRing(QWidget* parent);

  /// 0..1.
  void set_progress(double part);
  double progress() const { return progress_; }
  QSize sizeHint() const override;

 Q_SIGNALS:
  void cancelled();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QToolButton* cancel_;
  double progress_ = 0;
};

}  // namespace sfumato::gui
