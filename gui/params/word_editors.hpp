// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editors of switches and of named choices.
#pragma once

#include "params/parameter_editor.hpp"

class QCheckBox;
class QComboBox;

namespace sfumato::gui {

/// A check box that carries the label.
class BooleanEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  BooleanEditor(const Parameter& parameter, QWidget* parent);
  bool shows_label() const override { return true; }

 private:
  void show_value() override;

  QCheckBox* box_;
};

/// A combo box of the choices' labels, each with its own help.
class ChoiceEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  ChoiceEditor(const Parameter& parameter, QWidget* parent);

 private:
  void show_value() override;
  void add_choices();
  void explain();

  QComboBox* box_;
};

}  // namespace sfumato::gui
