// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A panel of a filter's parameters.
#include "params/parameter_panel.hpp"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "filters/registry.hpp"
#include "params/empty_hint.hpp"
#include "params/image_editor.hpp"
#include "params/parameter_editor.hpp"
#include "params/parameter_row.hpp"
#include "params/section_button.hpp"

namespace sfumato::gui {
namespace {

constexpr int panel_margin = 12, between_rows = 10;

// Present in (nearly) every filter and rarely changed.
bool is_common(const Parameter& parameter) {
  constexpr std::array<std::string_view, 4> names{"border", "light", "mask", "mix"};
  return std::find(names.begin(), names.end(), parameter.name) != names.end();
}

QVBoxLayout* column(QWidget* widget, int edge) {
  auto* layout = new QVBoxLayout(widget);
  layout->setContentsMargins(edge, edge, edge, edge);
  layout->setSpacing(between_rows);
  return layout;
}

}  // namespace

ParameterPanel::ParameterPanel(QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Parameters"));
  hint_ = empty_hint(*viewport(), tr("The settings of the selected step appear here"));
}

// Editors commit unfinished input when they are destroyed, too late for the panel.
ParameterPanel::~ParameterPanel() {
  for (const auto& [name, editor] : editors_) editor->disconnect(this);
}

void ParameterPanel::clear() {
  for (const auto& [name, editor] : editors_) editor->disconnect(this);
  editors_.clear();
  rows_.clear();
  set_ = nullptr;
  values_ = {};
  // One of them may be the sender of the current signal.
  if (QWidget* old = takeWidget()) {
    old->hide();
    old->deleteLater();
  }
  hint_->show();
}

void ParameterPanel::show_filter(const ParameterSet& set, const Values& values) {
  // Keeps the editors and the focus.
  if (set_ == &set) return set_values(values);
  build(set, values);
}

void ParameterPanel::show_step(const Step* step) {
  if (step == nullptr) return clear();
  show_filter(Registry::get().at(step->filter).filter->info().parameters, step->values);
}

void ParameterPanel::build(const ParameterSet& set, const Values& values) {
  const Values shown = values;  // may alias our own
  clear();
  set_ = &set;
  values_ = shown;
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Window);
  QVBoxLayout* layout = column(page, panel_margin);
  for (const Parameter& parameter : set) {
    if (!is_common(parameter)) add_row(parameter, layout);
  }
  if (std::any_of(set.begin(), set.end(), is_common)) layout->addWidget(make_more(page));
  layout->addStretch();
  update_visibility();
  hint_->hide();
  setWidget(page);
}

QWidget* ParameterPanel::make_more(QWidget* page) {
  auto* section = new QWidget(page);
  QVBoxLayout* layout = column(section, 0);
  more_ = new SectionButton(tr("More"), section);
  more_->setObjectName(QStringLiteral("more"));
  more_->setToolTip(tr("Settings that every filter has"));
  more_box_ = new QWidget(section);
  QVBoxLayout* rows = column(more_box_, 0);
  for (const Parameter& parameter : *set_) {
    if (is_common(parameter)) add_row(parameter, rows);
  }
  layout->addWidget(more_);
  layout->addWidget(more_box_);
  connect(more_, &QToolButton::toggled, this, &ParameterPanel::open_more);
  more_->setChecked(more_open_);
  open_more(more_open_);
  return section;
}

void ParameterPanel::open_more(bool open) {
  more_open_ = open;
  more_box_->setVisible(open);
}

void ParameterPanel::add_row(const Parameter& parameter, QVBoxLayout* layout) {
  const std::string& name = parameter.name;
  auto* row = new ParameterRow(parameter, layout->parentWidget());
  layout->addWidget(row);
  ParameterEditor* editor = row->editor();
  auto* image = qobject_cast<ImageEditor*>(editor);
  if (image != nullptr && has_layers_) image->offer_layers(layers_);
  editor->set_value(values_.at(name));
  row->update_reset();
  rows_[name] = row;
  editors_[name] = editor;
  connect(editor, &ParameterEditor::changed, this,
          [this, name](const Value& value, bool finished) { take(name, value, finished); });
}

void ParameterPanel::set_values(const Values& values) {
  for (const auto& [name, editor] : editors_) {
    const Value& value = values.at(name);
    if (editor->in_gesture()) continue;
    values_.set(name, value);
    if (editor->value() == value) continue;
    editor->set_value(value);
    rows_[name]->update_reset();
  }
  update_visibility();
}

void ParameterPanel::offer_channels(const QString& file, const QStringList& names) {
  for (ImageEditor* editor : findChildren<ImageEditor*>()) editor->offer_channels(file, names);
}

void ParameterPanel::offer_layers(const QStringList& names) {
  layers_ = names;
  has_layers_ = true;
  for (ImageEditor* editor : findChildren<ImageEditor*>()) editor->offer_layers(names);
}

void ParameterPanel::focus_first() {
  if (set_ == nullptr) return;
  for (const Parameter& parameter : *set_) {
    const auto editor = editors_.find(parameter.name);
    if (editor == editors_.end() || !editor->second->isVisible()) continue;
    editor->second->setFocus(Qt::OtherFocusReason);
    return;
  }
}

void ParameterPanel::take(const std::string& name, const Value& value, bool finished) {
  values_.set(name, value);
  update_visibility();
  Q_EMIT value_changed(name, value, finished);
}

void ParameterPanel::update_visibility() {
  if (set_ == nullptr) return;
  for (const Parameter& parameter : *set_) {
    const auto row = rows_.find(parameter.name);
    if (row != rows_.end()) row->second->setVisible(parameter.visible_if.evaluate(values_));
  }
}

void ParameterPanel::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() != QEvent::LanguageChange || set_ == nullptr) return;
  // Deferred: the event is being delivered to widgets about to be replaced.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (set_ != nullptr) build(*set_, values_);
      },
      Qt::QueuedConnection);
}

}  // namespace sfumato::gui
