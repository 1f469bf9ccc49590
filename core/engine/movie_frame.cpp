// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "engine/movie_frame.hpp"

#include <algorithm>
#include <utility>

#include "filters/registry.hpp"

namespace sfumato {

Recipe for_frame(Recipe recipe, std::int64_t frame) {
  if (frame <= 0) return recipe;
  for (Step& step : recipe.steps) {
    const ParameterSet& set = Registry::get().at(step.filter).filter->info().parameters;
    const Parameter* parameter = set.find("frame_number");
    if (parameter == nullptr) continue;
    const auto* chosen = step.values.find("frame_number");
    if (chosen != nullptr && *chosen != Value(std::int64_t{0})) continue;
    step.values.set("frame_number",
                    std::min(frame, static_cast<std::int64_t>(parameter->valid.max)));
  }
  return recipe;
}

}  // namespace sfumato
