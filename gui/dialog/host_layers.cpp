// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Replaces layer names in every step.
#include "dialog/host_layers.hpp"

#include "params/layer_reference.hpp"

namespace sfumato::gui {

Recipe with_files(const Recipe& recipe, HostLayers& layers) {
  Recipe out = recipe;
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    if (!recipe.steps[i].enabled) continue;
    for (const auto& [name, value] : recipe.steps[i].values) {
      const auto* image = std::get_if<ImageRef>(&value);
      if (image == nullptr) continue;
      if (const auto layer = layer_of(*image)) {
        out.steps[i].values.set(name, ImageRef{layers.file_of(*layer).string(), {}});
      }
    }
  }
  return out;
}

}  // namespace sfumato::gui
