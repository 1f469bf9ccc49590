// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Changes of the recipe as undo commands that hold the recipe before and after: recipes are small.
#include "document/document.hpp"

#include <QUndoCommand>
#include <algorithm>

#include "filters/registry.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {

class RecipeCommand final : public QUndoCommand {
 public:
  RecipeCommand(Document& document, Recipe after, int current_after, const QString& text,
                std::string merge_key)
      : QUndoCommand(text),
        document_(document),
        before_(document.recipe_),
        after_(std::move(after)),
        current_before_(document.current_),
        current_after_(current_after),
        merge_key_(std::move(merge_key)) {}

  int id() const override { return merge_key_.empty() ? -1 : 1; }

  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const RecipeCommand&>(*other);
    if (next.merge_key_ != merge_key_) return false;
    after_ = next.after_;
    current_after_ = next.current_after_;
    setObsolete(after_ == before_);  // a slider moved back has changed nothing
    return true;
  }

  void undo() override { document_.apply(before_, current_before_); }
  void redo() override { document_.apply(after_, current_after_); }

 private:
  Document& document_;
  Recipe before_, after_;
  int current_before_, current_after_;
  std::string merge_key_;
};

namespace {

QString filter_label(const std::string& filter) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  return label_of(info);
}

// Whether both have the same filters in the same order, equally enabled.
bool same_stack(const Recipe& a, const Recipe& b) {
  return std::equal(
      a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
      [](const Step& p, const Step& q) { return p.filter == q.filter && p.enabled == q.enabled; });
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {}

void Document::set_picture(PicturePtr picture) {
  picture_ = std::move(picture);
  Q_EMIT picture_changed();
}

void Document::set_current(int step) {
  const int next = size() == 0 ? -1 : std::clamp(step, 0, size() - 1);
  if (next == current_) return;
  current_ = next;
  Q_EMIT current_changed(current_);
}

void Document::apply(const Recipe& recipe, int current) {
  const Recipe before = std::exchange(recipe_, recipe);
  const bool same = same_stack(before, recipe_);
  // The current step must be valid before anyone is notified.
  const int shown = std::exchange(current_, size() == 0 ? -1 : std::clamp(current, 0, size() - 1));
  if (!same) Q_EMIT stack_changed();
  if (shown != current_) Q_EMIT current_changed(current_);
  for (int i = 0; same && i < size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!(before.steps[at].values == recipe_.steps[at].values)) Q_EMIT values_changed(i);
  }
  Q_EMIT recipe_changed();
}

void Document::push(Recipe recipe, int current, const QString& text, const std::string& merge_key) {
  if (merge_key.empty()) ++gesture_;
  undo_.push(new RecipeCommand(*this, std::move(recipe), current, text, merge_key));
}

void Document::add_step(const std::string& filter) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  Recipe recipe = recipe_;
  const int at = current_ + 1;
  recipe.steps.insert(recipe.steps.begin() + at,
                      recipe_of(info, defaults(info.parameters)).steps[0]);
  push(std::move(recipe), at, tr("Add %1").arg(filter_label(filter)));
}

void Document::remove_step(int step) {
  if (step < 0 || step >= size()) return;
  Recipe recipe = recipe_;
  const QString label = filter_label(recipe.steps[static_cast<std::size_t>(step)].filter);
  recipe.steps.erase(recipe.steps.begin() + step);
  push(std::move(recipe), std::max(0, step - 1), tr("Remove %1").arg(label));
}

void Document::duplicate_step(int step) {
  if (step < 0 || step >= size()) return;
  Recipe recipe = recipe_;
  const Step copy = recipe.steps[static_cast<std::size_t>(step)];
  recipe.steps.insert(recipe.steps.begin() + step + 1, copy);
  push(std::move(recipe), step + 1, tr("Duplicate %1").arg(filter_label(copy.filter)));
}

void Document::move_step(int from, int to) {
  if (from == to || from < 0 || to < 0 || from >= size() || to >= size()) return;
  Recipe recipe = recipe_;
  const Step step = recipe.steps[static_cast<std::size_t>(from)];
  recipe.steps.erase(recipe.steps.begin() + from);
  recipe.steps.insert(recipe.steps.begin() + to, step);
  push(std::move(recipe), to, tr("Move %1").arg(filter_label(step.filter)));
}

void Document::set_enabled(int step, bool enabled) {
  if (step < 0 || step >= size()) return;
  Recipe recipe = recipe_;
  Step& changed = recipe.steps[static_cast<std::size_t>(step)];
  if (changed.enabled == enabled) return;
  changed.enabled = enabled;
  const QString text = enabled ? tr("Switch on %1") : tr("Switch off %1");
  push(std::move(recipe), current_, text.arg(filter_label(changed.filter)));
}

void Document::set_value(int step, const std::string& name, const Value& value, bool finished) {
  if (step < 0 || step >= size()) return;
  Recipe recipe = recipe_;
  Step& changed = recipe.steps[static_cast<std::size_t>(step)];
  const FilterInfo& info = Registry::get().at(changed.filter).filter->info();
  changed.values.set(name, value);
  if (!(recipe_.steps[static_cast<std::size_t>(step)].values == changed.values)) {
    const QString label = label_of(info.parameters.at(name));
    const std::string key = std::to_string(gesture_) + ' ' + std::to_string(step) + ' ' + name;
    push(std::move(recipe), current_, tr("Change %1").arg(label), key);
  }
  if (finished) ++gesture_;
}

void Document::reset_step(int step) {
  if (step < 0 || step >= size()) return;
  Recipe recipe = recipe_;
  Step& changed = recipe.steps[static_cast<std::size_t>(step)];
  changed.values = defaults(Registry::get().at(changed.filter).filter->info().parameters);
  push(std::move(recipe), current_, tr("Reset %1").arg(filter_label(changed.filter)));
}

void Document::replace_recipe(Recipe recipe, const QString& text) {
  for (Step& step : recipe.steps) {
    step.values = complete(Registry::get().at(step.filter).filter->info().parameters, step.values);
  }
  push(std::move(recipe), 0, text);
}

}  // namespace sfumato::gui
