// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/varied_row.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QRegularExpression>
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

// A decimal comma needs another mark between numbers.
bool has_decimal_commas() {
  return QLocale().decimalPoint() == QStringLiteral(",");
}

QString joined(QStringList values) {
  if (!has_decimal_commas()) return values.join(QStringLiteral(", "));
  for (QString& value : values) value.replace(QLatin1Char('.'), QLatin1Char(','));
  return values.join(QStringLiteral("; "));
}

// Semicolons separate values, so that commas may stand before decimals; without semicolons, commas
// do, unless the only one can but stand before decimals.
QStringList values_in(const QString& text) {
  static const QRegularExpression decimal(QStringLiteral("^\\s*-?\\d+,\\d+\\s*$"));
  const bool one_number = has_decimal_commas() && decimal.match(text).hasMatch();
  const bool semicolons = text.contains(QLatin1Char(';')) || one_number;
  QStringList values =
      text.split(semicolons ? QLatin1Char(';') : QLatin1Char(','), Qt::SkipEmptyParts);
  for (QString& value : values) {
    value = value.trimmed();
    if (semicolons) value.replace(QLatin1Char(','), QLatin1Char('.'));
  }
  values.removeAll(QString());
  return values;
}

// What a tile is called: choices by their labels.
std::string title_of(const Parameter& p, const Value& value) {
  if (const auto* choice = std::get_if<Choice>(&value)) {
    for (const ChoiceOption& option : p.choices) {
      if (option.id == choice->id) return label_of(option).toStdString();
    }
  }
  QString number = QString::fromStdString(print(p, value));
  if (has_decimal_commas()) number.replace(QLatin1Char('.'), QLatin1Char(','));
  return (label_of(p) + QLatin1Char(' ') + number).toStdString();
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
  values_->setToolTip(has_decimal_commas() ? tr("Values separated by semicolons")
                                           : tr("Values separated by commas"));
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
  values_->setText(joined(texts));
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
  for (const QString& text : values_in(values_->text())) {
    values.push_back(parse(p, text.toStdString()));
  }
  if (values.empty()) return std::nullopt;
  Axis axis = value_axis(number, p, {}, values);
  axis.has_base = p.name == "method";
  for (std::size_t i = 0; i < values.size(); ++i) axis.settings[i].title = title_of(p, values[i]);
  return axis;
}

}  // namespace sfumato::gui
