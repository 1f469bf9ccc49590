// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of one colour.
#pragma once

#include <array>

#include "params/parameter_editor.hpp"

namespace sfumato::gui {

class ColorButton;
class NumberSpin;

/// A swatch that opens the colour dialog; if components may leave 0..1, also a spin box for each.
class ColorEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  ColorEditor(const Parameter& parameter, QWidget* parent);
  bool in_gesture() const override;

 private:
  void show_value() override;
  void add_spins();

  ColorButton* button_;
  std::array<NumberSpin*, 4> spins_{};
};

}  // namespace sfumato::gui
