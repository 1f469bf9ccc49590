// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Checks each step alone, as the engine does.
#include "preview/recipe_fault.hpp"

#include <algorithm>

#include "filters/registry.hpp"

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
  return std::all_of(roles.begin(), roles.end(), [&](const RoleInfo& role) {
    return !role.required || std::get<ImageRef>(step.values.at(role.parameter)).bound();
  });
}

}  // namespace

int faulty_step(const Recipe& recipe) {
  const auto found = std::find_if(recipe.steps.begin(), recipe.steps.end(),
                                  [](const Step& step) { return step.enabled && !can_run(step); });
  return found == recipe.steps.end() ? -1 : static_cast<int>(found - recipe.steps.begin());
}

}  // namespace sfumato::gui
