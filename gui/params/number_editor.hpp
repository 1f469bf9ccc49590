// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of real and whole numbers: a slider for exploring, a spin box for exact values.
#pragma once

#include "params/parameter_editor.hpp"

namespace sfumato::gui {

class NumberSlider;
class NumberSpin;

/// The slider covers the slider range by the model's law, the spin box the valid range.
class NumberEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  NumberEditor(const Parameter& parameter, QWidget* parent);
  bool in_gesture() const override;

 private:
  void show_value() override;
  void set_up_spin();
  void connect_all();
  void slide(int position);
  void step(int steps);
  void take(double number);
  double number() const;
  Value value_of(double number) const;
  void place_slider();

  NumberSlider* slider_;
  NumberSpin* spin_;
};

/// The size of one step: the model's, or a power of ten that suits the slider.
double step_of(const Parameter& parameter);

/// The value at a slider's position, rounded to a natural number of digits.
double tidy_value_at(const Parameter& parameter, double position);

}  // namespace sfumato::gui
