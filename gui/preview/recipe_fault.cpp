// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Each step alone, as the engine would refuse it.
#include "preview/recipe_fault.hpp"

#include <algorithm>

#include "filters/registry.hpp"
#include "params/core_text.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

bool can_run(const Step& step) {
  const Filter& filter = *Registry::get().at(step.filter).filter;
  try {
    filter.check(step.values);
  } catch (const std::exception&) {
    return false;
  }
  const auto& roles = filter.info().roles;
  return std::all_of(roles.begin(), roles.end(), [&](const RoleWish& role) {
    return !role.required || std::get<ImageRef>(step.values.at(role.parameter)).bound();
  });
}

}  // namespace

int faulty_step(const Recipe& recipe) {
  const auto found = std::find_if(recipe.steps.begin(), recipe.steps.end(),
                                  [](const Step& step) { return step.enabled && !can_run(step); });
  return found == recipe.steps.end() ? -1 : static_cast<int>(found - recipe.steps.begin());
}

QString fault_sentence(const Recipe& recipe, const QString& what) {
  for (const Step& step : recipe.steps) {
    const QString id = QString::fromStdString(step.filter) + QLatin1Char(' ');
    if (!what.startsWith(id)) continue;
    const FilterInfo& info = Registry::get().at(step.filter).filter->info();
    return core_text(label_of(info) + QLatin1Char(' ') + what.mid(id.size()));
  }
  return core_text(what);
}

}  // namespace sfumato::gui
