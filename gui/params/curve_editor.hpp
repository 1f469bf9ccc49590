// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a transfer curve: the plot, and the chosen point in numbers.
#pragma once

#include "params/parameter_editor.hpp"

namespace sfumato::gui {

class CurvePlot;
class NumberSpin;

/// A plot for mouse and keys, and exact values of the selected point below it.
class CurveEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  CurveEditor(const Parameter& parameter, QWidget* parent);
  bool in_gesture() const override;

 private:
  void show_value() override;
  void set_up_point_line();
  void set_up(NumberSpin* spin, const QString& part);
  void show_point();

  CurvePlot* plot_;
  NumberSpin *x_, *y_;
};

}  // namespace sfumato::gui
