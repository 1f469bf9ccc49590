// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The base of all parameter editors, and the choice among them.
#include "params/parameter_editor.hpp"

#include <QScopedValueRollback>

#include "params/color_editor.hpp"
#include "params/curve_editor.hpp"
#include "params/gradient_editor.hpp"
#include "params/image_editor.hpp"
#include "params/matrix_editor.hpp"
#include "params/model_text.hpp"
#include "params/number_editor.hpp"
#include "params/word_editors.hpp"

namespace sfumato::gui {

ParameterEditor::ParameterEditor(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), parameter_(parameter), value_(parameter.default_value) {
  setObjectName(QString::fromStdString(parameter.name));
  describe(this);
}

void ParameterEditor::set_value(const Value& value) {
  const QScopedValueRollback<bool> silent(showing_, true);
  value_ = value;
  unfinished_ = false;
  show_value();
}

void ParameterEditor::reset() {
  set_value(parameter_.default_value);
  Q_EMIT changed(value_, true);
}

void ParameterEditor::change(Value value, bool finished) {
  if (showing_) return;
  const bool same = value == value_;
  value_ = std::move(value);
  if (same && !(finished && unfinished_)) return;
  unfinished_ = !finished;
  Q_EMIT changed(value_, finished);
}

void ParameterEditor::finish() {
  if (unfinished_) change(value_, true);
}

void ParameterEditor::show_again() {
  const QScopedValueRollback<bool> silent(showing_, true);
  show_value();
}

void ParameterEditor::describe(QWidget* widget) const {
  const QString help = help_of(parameter_);
  widget->setAccessibleName(label_of(parameter_));
  widget->setAccessibleDescription(help);
  widget->setToolTip(help);
  widget->setWhatsThis(help);
}

void ParameterEditor::describe(QWidget* widget, const QString& part) const {
  describe(widget);
  widget->setAccessibleName(tr("%1: %2").arg(label_of(parameter_), part));
}

ParameterEditor* make_editor(const Parameter& parameter, QWidget* parent) {
  switch (parameter.kind) {
    case Kind::real:
    case Kind::integer:
      return new NumberEditor(parameter, parent);
    case Kind::boolean:
      return new BooleanEditor(parameter, parent);
    case Kind::choice:
      return new ChoiceEditor(parameter, parent);
    case Kind::color:
      return new ColorEditor(parameter, parent);
    case Kind::gradient:
      return new GradientEditor(parameter, parent);
    case Kind::curve:
      return new CurveEditor(parameter, parent);
    case Kind::matrix:
      return new MatrixEditor(parameter, parent);
    case Kind::image:
      return new ImageEditor(parameter, parent);
  }
  return nullptr;
}

}  // namespace sfumato::gui
