// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Looking at a picture before it is filtered, for filters that choose by its pixels.
#pragma once

#include "engine/pixels.hpp"
#include "engine/plan.hpp"

namespace sfumato {

/// Shows the filter of the plan's first step what it wishes to see of `source`, and returns what it
/// learned, by step, to be handed to make_plan(); empty where it wishes for nothing. A small
/// picture is kept by the source; a large one is read from top to bottom here, and again when it is
/// filtered. Throws what the source throws.
Learnings survey_picture(const Plan& plan, PixelSource& source);

}  // namespace sfumato
