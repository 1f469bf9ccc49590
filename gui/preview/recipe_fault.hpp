// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Finds the step of a recipe that cannot run.
#pragma once

#include "params/recipe.hpp"

namespace sfumato::gui {

/// The step, counted from 0, whose values are incompatible or that lacks a picture; -1 if no single
/// step is at fault.
int faulty_step(const Recipe& recipe);

}  // namespace sfumato::gui
