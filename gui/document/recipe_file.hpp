// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recipes in files.
#pragma once

#include <QString>

#include "params/recipe.hpp"

namespace sfumato::gui {

struct ReadRecipe {
  Recipe recipe;
  QString fault;  ///< one sentence; empty: the recipe was read
};

/// Not for the GUI thread.
ReadRecipe read_recipe(const QString& path);

}  // namespace sfumato::gui
