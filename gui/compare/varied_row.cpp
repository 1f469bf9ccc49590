// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/varied_row.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <map>

#include "filters/registry.hpp"
#include "params/model_text.hpp"
#include "params/text.hpp"

namespace sfumato::gui {
namespace {

const QString presets_word = QStringLiteral("presets");

bool may_vary(const Parameter& p) {
  return p.kind == Kind::real || p.kind == Kind::integer || p.kind == Kind::choice ||
         p.kind == Kind::boolean;
}

// Half of a number, itself and its double, within what is allowed; all choices.
std::vector<Value> usual_values(const Parameter& p, const Value& now) {
  std::vector<Value> out;
  if (p.kind == Kind::choice) {
    for (const ChoiceOption& option : p.choices) out.emplace_back(Choice(option.id));
    return out;
  }
  if (p.kind == Kind::boolean) return {false, true};
  const auto* real = std::get_if<double>(&now);
  const double middle = real != nullptr ? *real : static_cast<double>(std::get<std::int64_t>(now));
  for (const double factor : {0.5, 1.0, 2.0}) {
    Value value = middle * factor;
    if (real == nullptr) value = static_cast<std::int64_t>(middle * factor);
    try {
      check(p, value);
    } catch (const ParameterError&) {
      continue;
    }
    if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
  }
  return out;
}

}  // namespace

VariedRow::VariedRow(const QString& name, bool may_be_none, QWidget* parent)
    : QWidget(parent),
      may_be_none_(may_be_none),
      what_(new QComboBox(this)),
      values_(new QLineEdit(this)),
      choice_(new QToolButton(this)),
      menu_(new QMenu(choice_)) {
  what_->setAccessibleName(name);
  values_->setAccessibleName(tr("%1: values").arg(name));
  values_->setToolTip(tr("Values separated by commas"));
  choice_->setAccessibleName(tr("%1: presets").arg(name));
  choice_->setPopupMode(QToolButton::InstantPopup);
  choice_->setMenu(menu_);
  choice_->setFocusPolicy(Qt::StrongFocus);
  choice_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(what_, 2);
  layout->addWidget(values_, 3);
  layout->addWidget(choice_, 3);
  choice_->hide();
  guard_wheel(what_);
  connect(what_, &QComboBox::currentIndexChanged, this, [this] {
    suggest();
    Q_EMIT changed();
  });
  connect(values_, &QLineEdit::textEdited, this, &VariedRow::changed);
}

void VariedRow::offer(const Recipe& recipe, int step, const std::vector<Preset>& presets) {
  const QString before = chosen();
  recipe_ = recipe;
  step_ = step;
  presets_ = presets;
  const QSignalBlocker quiet(what_);
  what_->clear();
  if (may_be_none_) what_->addItem(tr("nothing else"), QString());
  if (step_ >= 0) {
    const Step& one = recipe_.steps[static_cast<std::size_t>(step_)];
    const FilterInfo& info = Registry::get().at(one.filter).filter->info();
    for (const Parameter& p : info.parameters) {
      const bool is_single = p.kind == Kind::choice && p.choices.size() < 2;
      if (may_vary(p) && !is_single) what_->addItem(label_of(p), QString::fromStdString(p.name));
    }
  }
  if (!presets_.empty()) what_->addItem(tr("Presets"), presets_word);
  fill_menu();
  const int again = what_->findData(before);
  what_->setCurrentIndex(std::max(0, again));
  suggest();
}

void VariedRow::choose(const QString& what) {
  const int index = what_->findData(what);
  if (index >= 0) what_->setCurrentIndex(index);
}

QString VariedRow::chosen() const {
  return what_->currentData().toString();
}

void VariedRow::set_values(const QString& values) {
  values_->setText(values);
  if (chosen() != presets_word) return;
  QStringList ids = values.split(QLatin1Char(','), Qt::SkipEmptyParts);
  for (QString& id : ids) id = id.trimmed();
  for (QAction* action : menu_->findChildren<QAction*>()) {
    if (action->isCheckable()) action->setChecked(ids.contains(action->data().toString()));
  }
  show_chosen_presets();
}

QString VariedRow::values() const {
  return values_->text();
}

// What is most likely wanted.
void VariedRow::suggest() {
  const QString what = chosen();
  const bool presets = what == presets_word;
  values_->setVisible(!presets && !what.isEmpty());
  choice_->setVisible(presets);
  if (presets) return show_chosen_presets();
  if (what.isEmpty()) return values_->clear();
  const Step& step = recipe_.steps[static_cast<std::size_t>(step_)];
  const ParameterSet& set = Registry::get().at(step.filter).filter->info().parameters;
  const Parameter& p = *set.find(what.toStdString());
  QStringList texts;
  for (const Value& value : usual_values(p, step.values.at(p.name))) {
    texts << QString::fromStdString(print(p, value));
  }
  values_->setText(texts.join(QStringLiteral(", ")));
}

// By their categories, as in the menu of presets.
void VariedRow::fill_menu() {
  menu_->clear();
  std::map<QString, QMenu*> categories;
  for (const Preset& preset : presets_) {
    const QString category = model_text(preset.category);
    QMenu*& below = categories[category];
    if (below == nullptr) below = menu_->addMenu(category);
    QAction* action = below->addAction(model_text(preset.name));
    action->setCheckable(true);
    action->setData(QString::fromStdString(preset.id));
    connect(action, &QAction::toggled, this, [this] {
      show_chosen_presets();
      Q_EMIT changed();
    });
  }
}

void VariedRow::show_chosen_presets() {
  QStringList ids, names;
  for (QAction* action : menu_->findChildren<QAction*>()) {
    if (!action->isCheckable() || !action->isChecked()) continue;
    ids << action->data().toString();
    names << action->text();
  }
  values_->setText(ids.join(QStringLiteral(", ")));
  choice_->setText(names.isEmpty() ? tr("Choose presets…") : names.join(QStringLiteral(", ")));
}

std::optional<Axis> VariedRow::axis_of_presets() const {
  Axis axis{"recipe", {}};
  const QStringList ids = values_->text().split(QStringLiteral(", "), Qt::SkipEmptyParts);
  if (!recipe_.steps.empty()) {
    axis.settings.push_back({tr("present steps").toStdString(), [](Variant&) {}});
  }
  for (const Preset& preset : presets_) {
    if (!ids.contains(QString::fromStdString(preset.id))) continue;
    const Recipe recipe = parse_recipe(preset.text, Registry::get(), preset.file.parent_path());
    axis.settings.push_back(
        {model_text(preset.name).toStdString(), [recipe](Variant& v) { v.recipe = recipe; }});
  }
  if (axis.settings.empty()) return std::nullopt;
  return axis;
}

std::optional<Axis> VariedRow::axis() const {
  const QString what = chosen();
  if (what == presets_word) return axis_of_presets();
  if (what.isEmpty() || step_ < 0) return std::nullopt;
  const auto number = static_cast<std::size_t>(step_);
  const ParameterSet& set =
      Registry::get().at(recipe_.steps[number].filter).filter->info().parameters;
  const Parameter& p = *set.find(what.toStdString());
  std::vector<Value> values;
  for (const QString& text : values_->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    values.push_back(parse(p, text.trimmed().toStdString()));
  }
  if (values.empty()) return std::nullopt;
  if (p.name != "method") return value_axis(number, p, label_of(p).toStdString(), values);
  std::vector<std::string> methods;
  for (const Value& value : values) methods.push_back(std::get<Choice>(value).id);
  return method_axis(number, methods);
}

}  // namespace sfumato::gui
