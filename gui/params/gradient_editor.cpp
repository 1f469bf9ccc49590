// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a gradient.
#include "params/gradient_editor.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <algorithm>

#include "params/color_button.hpp"
#include "params/error_line.hpp"
#include "params/errors.hpp"
#include "params/gradient_bar.hpp"
#include "params/number_spin.hpp"
#include "params/text.hpp"

namespace sfumato::gui {
namespace {

// One stop's colour as a parameter, to read and write it as text.
Parameter stop_color(const Parameter& gradient) {
  return Parameter::color("color", "Color", "Color.", {}, gradient.valid);
}

}  // namespace

GradientEditor::GradientEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent),
      bar_(new GradientBar(this)),
      button_(new ColorButton(this)),
      text_(new ErrorLine(this)),
      position_(new NumberSpin(this)) {
  describe(bar_);
  bar_->setAccessibleDescription(
      tr("Tab: next stop. Arrow keys: move it. Return: its colour. Insert: add a stop. Delete: "
         "remove it."));
  setFocusProxy(bar_);
  set_up_stop_line();
  connect(bar_, &GradientBar::changed, this, [this](const Gradient& gradient, bool finished) {
    change(gradient, finished);
    show_stop();
  });
  connect(bar_, &GradientBar::chosen_changed, this, &GradientEditor::show_stop);
  connect(bar_, &GradientBar::settled, this, &GradientEditor::finish);
  connect(bar_, &GradientBar::color_wanted, button_, &ColorButton::open_dialog);
  set_value(parameter.default_value);
}

void GradientEditor::set_up_stop_line() {
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(button_);
  line->addWidget(text_->line(), 1);
  line->addWidget(new QLabel(tr("at"), this));
  line->addWidget(position_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(bar_);
  layout->addLayout(line);
  layout->addWidget(text_);
  describe(button_, tr("colour of the stop"));
  describe(text_->line(), tr("colour of the stop as text"));
  text_->line()->setToolTip(tr("#rrggbb, #rrggbbaa, or red, green, blue and alpha as numbers"));
  describe(position_, tr("position of the stop"));
  position_->setRange(0, 1);
  position_->set_decimals(2, 6);
  position_->setSingleStep(0.01);
  position_->set_sample(QStringLiteral("0.0000"));
  connect(button_, &ColorButton::picked, this, [this](const Color& color, bool finished) {
    change_stop({bar_->chosen_stop().position, inside(color)}, finished);
  });
  connect(position_, &NumberSpin::edited, this, [this](double position) {
    if (!showing()) change_stop({position, bar_->chosen_stop().color}, false);
  });
  connect(position_, &NumberSpin::settled, this, [this] {
    finish();
    show_stop();
  });
  connect(text_->line(), &QLineEdit::textEdited, this, &GradientEditor::take_text);
  connect(text_->line(), &QLineEdit::editingFinished, this, [this] {
    finish();
    if (!text_->has_error()) show_stop();
  });
}

Color GradientEditor::inside(const Color& color) const {
  const Range& valid = parameter().valid;
  const auto cut = [&](double v) { return std::clamp(v, valid.min, valid.max); };
  return {cut(color.r), cut(color.g), cut(color.b), std::clamp(color.a, 0.0, 1.0)};
}

void GradientEditor::change_stop(const Gradient::Stop& stop, bool finished) {
  Gradient gradient = bar_->gradient();
  const auto at = static_cast<std::size_t>(bar_->chosen());
  const double low = at > 0 ? gradient.stops[at - 1].position : 0;
  const double high = at + 1 < gradient.stops.size() ? gradient.stops[at + 1].position : 1;
  gradient.stops[at] = {std::clamp(stop.position, low, high), stop.color};
  bar_->set_gradient(gradient);
  change(gradient, finished);
  if (!position_->hasFocus() && !text_->line()->hasFocus()) show_stop();
  button_->set_color(stop.color);
}

void GradientEditor::take_text(const QString& text) {
  try {
    const Value color = parse(stop_color(parameter()), text.toStdString());
    text_->clear_error();
    change_stop({bar_->chosen_stop().position, std::get<Color>(color)}, false);
  } catch (const ParameterError&) {
    text_->set_error(tr("This is not a colour: write #rrggbb, or numbers."));
  }
}

bool GradientEditor::in_gesture() const {
  return bar_->dragging() || button_->dialog_is_open();
}

void GradientEditor::show_value() {
  bar_->set_gradient(std::get<Gradient>(value()));
  show_stop();
}

void GradientEditor::show_stop() {
  const Gradient::Stop& stop = bar_->chosen_stop();
  const QSignalBlocker quiet(position_);
  position_->setValue(stop.position);
  button_->set_color(stop.color);
  text_->clear_error();
  const QString text = QString::fromStdString(print(stop_color(parameter()), stop.color));
  if (text_->line()->text() != text) text_->line()->setText(text);
}

}  // namespace sfumato::gui
