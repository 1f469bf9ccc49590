// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a gradient: the bar, and the selected stop's colour and position.
#pragma once

#include "params/parameter_editor.hpp"

namespace sfumato::gui {

class ColorButton;
class ErrorLine;
class GradientBar;
class NumberSpin;

/// A bar for mouse and keys, and exact values of the selected stop below it.
class GradientEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  GradientEditor(const Parameter& parameter, QWidget* parent);
  bool in_gesture() const override;

 private:
  void show_value() override;
  void set_up_stop_line();
  void show_stop();
  void change_stop(const Gradient::Stop& stop, bool finished);
  void take_text(const QString& text);
  Color inside(const Color& color) const;

  GradientBar* bar_;
  ColorButton* button_;
  ErrorLine* text_;
  NumberSpin* position_;
};

}  // namespace sfumato::gui
