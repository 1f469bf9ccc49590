// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of one colour.
#include "params/color_editor.hpp"

#include <QHBoxLayout>
#include <algorithm>

#include "params/color_button.hpp"
#include "params/number_spin.hpp"

namespace sfumato::gui {
namespace {

constexpr double widest = 1e9;
constexpr std::array<double Color::*, 4> parts{&Color::r, &Color::g, &Color::b, &Color::a};

}  // namespace

ColorEditor::ColorEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent), button_(new ColorButton(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(button_);
  describe(button_);
  setFocusProxy(button_);
  connect(button_, &ColorButton::picked, this, [this](const Color& color, bool finished) {
    const Range& valid = this->parameter().valid;
    const auto inside = [&](double v) { return std::clamp(v, valid.min, valid.max); };
    change(Color{inside(color.r), inside(color.g), inside(color.b), color.a}, finished);
    show_again();
  });
  if (!Range{0, 1}.contains(parameter.valid)) add_spins();
  layout->addStretch();
  set_value(parameter.default_value);
}

void ColorEditor::add_spins() {
  const std::array<QString, 4> names{tr("red"), tr("green"), tr("blue"), tr("alpha")};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    NumberSpin* spin = spins_[i] = new NumberSpin(this);
    spin->set_decimals(0, 6);
    spin->set_sample(QStringLiteral("0.000"));
    spin->setSingleStep(0.05);
    const Range range = parts[i] == &Color::a ? Range{0, 1} : parameter().valid;
    spin->setRange(std::max(range.min, -widest), std::min(range.max, widest));
    describe(spin, names[i]);
    layout()->addWidget(spin);
    connect(spin, &NumberSpin::edited, this, [this, i](double number) {
      if (showing()) return;
      Color color = std::get<Color>(value());
      color.*parts[i] = number;
      button_->set_color(color);
      change(color, false);
    });
    connect(spin, &NumberSpin::settled, this, &ColorEditor::finish);
  }
}

bool ColorEditor::in_gesture() const {
  return button_->dialog_is_open();
}

void ColorEditor::show_value() {
  const Color& color = std::get<Color>(value());
  button_->set_color(color);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (spins_[i] != nullptr) spins_[i]->setValue(color.*parts[i]);
  }
}

}  // namespace sfumato::gui
