// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which step of a recipe cannot be run.
#pragma once

#include "params/recipe.hpp"

namespace sfumato::gui {

/// The step, counted from 0, whose values are not allowed together or that lacks a picture; -1
/// where no single step is to blame.
int faulty_step(const Recipe& recipe);

}  // namespace sfumato::gui
