// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recipes whose noise moves from frame to frame.
#pragma once

#include <cstdint>

#include "params/recipe.hpp"

namespace sfumato {

/// The recipe for one frame of a movie or a sequence, from 1: every parameter `frame_number` that
/// is 0 is set to its number. 0: the recipe as it is.
Recipe for_frame(Recipe recipe, std::int64_t frame);

}  // namespace sfumato
