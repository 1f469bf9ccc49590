// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Viewing exposure of the preview, in stops.
#pragma once

#include <QWidget>

class QLabel;
class QSlider;

namespace sfumato::gui {

/// -6 to +6 stops in tenths. A double click resets it to 0. GUI thread only.
class ExposureSlider final : public QWidget {
  Q_OBJECT

 public:
  explicit ExposureSlider(QWidget* parent = nullptr);

  /// In stops.
  double value() const;
  void set_value(double stops);
  /// "+1.0 EV".
  QString text() const;

 Q_SIGNALS:
  void changed(double stops);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void tell();

  QSlider* slider_;
  QLabel* text_;
};

}  // namespace sfumato::gui
