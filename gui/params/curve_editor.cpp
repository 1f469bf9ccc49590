// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a transfer curve.
#include "params/curve_editor.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

#include "params/curve_plot.hpp"
#include "params/number_spin.hpp"

namespace sfumato::gui {

CurveEditor::CurveEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent),
      plot_(new CurvePlot(parameter.valid, this)),
      x_(new NumberSpin(this)),
      y_(new NumberSpin(this)) {
  describe(plot_);
  plot_->setAccessibleDescription(
      tr("Tab: next point. Arrow keys: move it. Insert: add a point. Delete: remove it."));
  setFocusProxy(plot_);
  set_up_point_line();
  connect(plot_, &CurvePlot::changed, this, [this](const Curve& curve, bool finished) {
    change(curve, finished);
    show_point();
  });
  connect(plot_, &CurvePlot::chosen_changed, this, &CurveEditor::show_point);
  connect(plot_, &CurvePlot::settled, this, &CurveEditor::finish);
  set_value(parameter.default_value);
}

void CurveEditor::set_up_point_line() {
  set_up(x_, tr("input"));
  set_up(y_, tr("output"));
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(new QLabel(tr("In"), this));
  line->addWidget(x_);
  line->addStretch();
  line->addWidget(new QLabel(tr("Out"), this));
  line->addWidget(y_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(plot_);
  layout->addLayout(line);
}

void CurveEditor::set_up(NumberSpin* spin, const QString& part) {
  describe(spin, part);
  spin->setRange(std::max(parameter().valid.min, -1e9), std::min(parameter().valid.max, 1e9));
  spin->set_decimals(2, 6);
  spin->setSingleStep(0.01);
  spin->set_sample(QStringLiteral("0.0000"));
  connect(spin, &NumberSpin::edited, this, [this, spin](double number) {
    if (showing()) return;
    Curve::Point to = plot_->chosen_point();
    (spin == x_ ? to.x : to.y) = number;
    plot_->move_to(to);
  });
  connect(spin, &NumberSpin::settled, this, [this] {
    finish();
    show_point();
  });
}

bool CurveEditor::in_gesture() const {
  return plot_->dragging();
}

void CurveEditor::show_value() {
  plot_->set_curve(std::get<Curve>(value()));
  show_point();
}

// Text being typed is left alone until it is committed.
void CurveEditor::show_point() {
  const Curve::Point& point = plot_->chosen_point();
  for (NumberSpin* spin : {x_, y_}) {
    const QSignalBlocker quiet(spin);
    const double number = spin == x_ ? point.x : point.y;
    if (spin->value() != number) spin->setValue(number);
  }
}

}  // namespace sfumato::gui
