// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One parameter in the panel.
#include "params/parameter_row.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "params/model_text.hpp"
#include "params/parameter_editor.hpp"

namespace sfumato::gui {

ResetButton::ResetButton(QWidget* parent) : QToolButton(parent) {
  setAutoRaise(true);
  QSizePolicy policy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  policy.setRetainSizeWhenHidden(true);  // lines keep their place when it appears and disappears
  setSizePolicy(policy);
}

QSize ResetButton::sizeHint() const {
  const int side = fontMetrics().height() + 4;
  return {side, side};
}

// Three quarters of a circle, with an arrow head at its start.
void ResetButton::paintEvent(QPaintEvent* event) {
  QToolButton::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double radius = std::min(width(), height()) * 0.24;
  const QPointF middle = QRectF(rect()).center();
  const QRectF circle(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius);
  const QColor color = muted(palette(), underMouse() || hasFocus() ? 0.95 : 0.65);
  painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap));
  QPainterPath arc;
  arc.arcMoveTo(circle, 120);
  arc.arcTo(circle, 120, 290);
  painter.drawPath(arc);
  const QPointF tip = arc.pointAtPercent(0);
  QPainterPath head;
  head.moveTo(tip + QPointF(-0.75 * radius, 0.1 * radius));
  head.lineTo(tip + QPointF(0.35 * radius, -0.75 * radius));
  head.lineTo(tip + QPointF(0.45 * radius, 0.65 * radius));
  head.closeSubpath();
  painter.fillPath(head, color);
}

ParameterRow::ParameterRow(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), editor_(make_editor(parameter, this)), reset_(new ResetButton(this)) {
  setObjectName(QStringLiteral("row_") + QString::fromStdString(parameter.name));
  const QString label = label_of(parameter);
  const QString normal = short_text(parameter, parameter.default_value);
  reset_->setAccessibleName(tr("Reset %1").arg(label));
  reset_->setToolTip(normal.isEmpty() ? tr("Reset") : tr("Reset to %1").arg(normal));
  reset_->setWhatsThis(tr("Resets the parameter to its default."));
  connect(reset_, &QToolButton::clicked, this, [this] {
    editor_->setFocus();  // the button is about to be hidden
    editor_->reset();
    update_reset();
  });
  connect(editor_, &ParameterEditor::changed, this, &ParameterRow::update_reset);
  lay_out();
  update_reset();
}

void ParameterRow::lay_out() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  layout->addLayout(line);
  if (editor_->shows_label()) {
    line->addWidget(editor_, 1);
    line->addWidget(reset_);
    return;
  }
  const Parameter& parameter = editor_->parameter();
  label_ = new QLabel(label_of(parameter), this);
  label_->setTextFormat(Qt::PlainText);
  label_->setBuddy(editor_);
  label_->setToolTip(help_of(parameter));
  label_->setWhatsThis(help_of(parameter));
  line->addWidget(label_, 1);
  if (parameter.name == "sigma" && parameter.unit == Unit::px) {
    reach_ = new QLabel(this);
    reach_->setForegroundRole(QPalette::PlaceholderText);
    QFont small = reach_->font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    reach_->setFont(small);
    reach_->setToolTip(tr("How far a pixel reaches: three times sigma"));
    line->addWidget(reach_);
  }
  line->addWidget(reset_);
  layout->addWidget(editor_);
}

void ParameterRow::update_reset() {
  reset_->setVisible(editor_->value() != editor_->parameter().default_value);
  show_reach();
}

void ParameterRow::show_reach() {
  const double* sigma = std::get_if<double>(&editor_->value());
  if (reach_ == nullptr || sigma == nullptr) return;
  reach_->setText(tr("3σ = %1").arg(number_text(std::ceil(3 * *sigma), Unit::px)));
}

}  // namespace sfumato::gui
