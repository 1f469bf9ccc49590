// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editors of switches and of named choices.
#include "params/word_editors.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>

#include "params/model_text.hpp"

namespace sfumato::gui {

BooleanEditor::BooleanEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent), box_(new QCheckBox(label_of(parameter), this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(box_);
  layout->addStretch();
  describe(box_);
  setFocusProxy(box_);
  connect(box_, &QCheckBox::toggled, this, [this](bool on) { change(on, true); });
  set_value(parameter.default_value);
}

void BooleanEditor::show_value() {
  box_->setChecked(std::get<bool>(value()));
}

ChoiceEditor::ChoiceEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent), box_(new QComboBox(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(box_);
  describe(box_);
  guard_wheel(box_);
  box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box_->setMinimumContentsLength(8);
  setFocusProxy(box_);
  add_choices();
  connect(box_, &QComboBox::currentIndexChanged, this, [this](int index) {
    explain();
    change(Choice(box_->itemData(index).toString().toStdString()), true);
  });
  set_value(parameter.default_value);
}

void ChoiceEditor::add_choices() {
  QString all = help_of(parameter());
  for (const ChoiceOption& option : parameter().choices) {
    const QString label = label_of(option), help = model_text(option.help);
    box_->addItem(label, QString::fromStdString(option.id));
    box_->setItemData(box_->count() - 1, help, Qt::ToolTipRole);
    box_->setItemData(box_->count() - 1, help, Qt::AccessibleDescriptionRole);
    if (!help.isEmpty()) all += QStringLiteral("\n%1: %2").arg(label, help);
  }
  box_->setWhatsThis(all);
}

// The parameter's help, followed by that of the selected choice.
void ChoiceEditor::explain() {
  const QString help = box_->currentData(Qt::ToolTipRole).toString();
  box_->setToolTip(
      help.isEmpty()
          ? help_of(parameter())
          : QStringLiteral("%1\n%2: %3").arg(help_of(parameter()), box_->currentText(), help));
}

void ChoiceEditor::show_value() {
  box_->setCurrentIndex(box_->findData(QString::fromStdString(std::get<Choice>(value()).id)));
  explain();
}

}  // namespace sfumato::gui
