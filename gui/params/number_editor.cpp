// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of real and whole numbers.
#include "params/number_editor.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "params/number_slider.hpp"
#include "params/number_spin.hpp"

namespace sfumato::gui {
namespace {

constexpr double open_end = 1e9;  // stands for an infinite limit in a spin box

// The power of ten at or below a positive value.
double power_below(double size) {
  return std::pow(10.0, std::floor(std::log10(size) + 1e-9));
}

// Number of decimals in multiples of a step.
int decimals_of(double step) {
  int decimals = 0;
  while (decimals < 6 && std::abs(step - std::round(step)) > 1e-6 * step) {
    step *= 10;
    ++decimals;
  }
  return decimals;
}

// Removes binary rounding errors: 0.1 + 0.2 is 0.3.
double without_dust(double value) {
  return std::abs(value) < 1e6 ? std::round(value * 1e9) / 1e9 : value;
}

QString suffix_of(Unit unit) {
  switch (unit) {
    case Unit::px:
      return NumberEditor::tr(" px");
    case Unit::degrees:
      return NumberEditor::tr("°");
    case Unit::none:
    case Unit::fraction:
      break;
  }
  return {};
}

}  // namespace

double step_of(const Parameter& parameter) {
  if (parameter.step > 0) return parameter.step;
  if (parameter.kind == Kind::integer) return 1;
  const double span = parameter.slider.max - parameter.slider.min;
  return span > 0 ? power_below(span / 100) : 0.01;
}

double tidy_value_at(const Parameter& parameter, double position) {
  const double value = value_at(parameter, position);
  if (position <= 0 || position >= 1 || parameter.kind == Kind::integer || value == 0) return value;
  double quantum = power_below(std::abs(value)) / 100;  // three significant digits
  const double span = parameter.slider.max - parameter.slider.min;
  if (parameter.law == SliderLaw::linear) quantum = power_below(span / NumberSlider::positions);
  const double per_one = std::round(1 / quantum);
  const double tidy =
      quantum < 1 ? std::round(value * per_one) / per_one : std::round(value / quantum) * quantum;
  return std::clamp(tidy, parameter.slider.min, parameter.slider.max);
}

NumberEditor::NumberEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent),
      slider_(new NumberSlider(this)),
      spin_(new NumberSpin(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(slider_, 1);
  layout->addWidget(spin_);
  describe(slider_);
  describe(spin_);
  setFocusProxy(slider_);  // the first; Tab reaches the others after it
  set_up_spin();
  connect_all();
  set_value(parameter.default_value);
}

void NumberEditor::set_up_spin() {
  const Parameter& p = parameter();
  const bool whole = p.kind == Kind::integer;
  const int shown = whole ? 0 : decimals_of(step_of(p));
  spin_->set_decimals(shown, whole ? 0 : std::min(shown + 4, 8));
  spin_->setRange(std::max(p.valid.min, -open_end),
                  std::isfinite(p.valid.max) ? p.valid.max : open_end);
  spin_->setSingleStep(step_of(p));
  spin_->setSuffix(suffix_of(p.unit));
  // One width for all units, so that all sliders end at the same position.
  spin_->set_sample(QStringLiteral("-000.00") + suffix_of(Unit::px));
}

void NumberEditor::connect_all() {
  connect(slider_, &NumberSlider::moved, this, &NumberEditor::slide);
  connect(slider_, &NumberSlider::stepped, this, &NumberEditor::step);
  connect(slider_, &NumberSlider::settled, this, &NumberEditor::finish);
  connect(slider_, &NumberSlider::default_wanted, this, &NumberEditor::reset);
  connect(spin_, &NumberSpin::edited, this, [this](double number) {
    if (showing()) return;
    change(value_of(number), false);
    place_slider();
  });
  connect(spin_, &NumberSpin::settled, this, &NumberEditor::finish);
}

double NumberEditor::number() const {
  if (const double* real = std::get_if<double>(&value())) return *real;
  return static_cast<double>(std::get<std::int64_t>(value()));
}

Value NumberEditor::value_of(double number) const {
  if (parameter().kind == Kind::integer) return static_cast<std::int64_t>(std::llround(number));
  return number;
}

bool NumberEditor::in_gesture() const {
  return slider_->isSliderDown();
}

void NumberEditor::slide(int position) {
  take(tidy_value_at(parameter(), static_cast<double>(position) / NumberSlider::positions));
}

void NumberEditor::step(int steps) {
  take(without_dust(number() + steps * step_of(parameter())));
  place_slider();
}

// From the slider; the spin box follows.
void NumberEditor::take(double number) {
  const Range& valid = parameter().valid;
  const double inside = std::clamp(number, valid.min, valid.max);
  const QSignalBlocker quiet(spin_);
  spin_->setValue(inside);
  change(value_of(inside), false);
}

void NumberEditor::place_slider() {
  if (slider_->isSliderDown()) return;
  slider_->setValue(
      static_cast<int>(std::lround(position_of(parameter(), number()) * NumberSlider::positions)));
}

void NumberEditor::show_value() {
  spin_->setValue(number());
  place_slider();
}

}  // namespace sfumato::gui
