// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One parameter in the panel: its label, its reset button and its editor.
#pragma once

#include <QToolButton>
#include <QWidget>

#include "params/parameter.hpp"

class QLabel;

namespace sfumato::gui {

class ParameterEditor;

/// A small button with a circular arrow in the palette's colour.
class ResetButton final : public QToolButton {
  Q_OBJECT

 public:
  explicit ResetButton(QWidget* parent);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Shows the reset button if the value is not the default. GUI thread only.
class ParameterRow final : public QWidget {
  Q_OBJECT

 public:
  ParameterRow(const Parameter& parameter, QWidget* parent);

  ParameterEditor* editor() const { return editor_; }
  ResetButton* reset_button() const { return reset_; }
  /// To be called after the value was set from outside.
  void update_reset();

 private:
  void lay_out();
  void show_reach();

  QLabel *label_ = nullptr, *reach_ = nullptr;
  ParameterEditor* editor_;
  ResetButton* reset_;
};

}  // namespace sfumato::gui
