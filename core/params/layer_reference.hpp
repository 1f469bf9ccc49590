// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a recipe names a layer of the host's document in place of a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "params/value.hpp"

namespace sfumato {

inline constexpr std::string_view layer_prefix = "layer:";

inline ImageRef layer_reference(const std::string& name) {
  return {std::string(layer_prefix) + name, {}};
}

/// The layer's name; nullopt for a file or an unbound image.
inline std::optional<std::string> layer_of(const ImageRef& image) {
  if (image.path.compare(0, layer_prefix.size(), layer_prefix) != 0) return std::nullopt;
  return image.path.substr(layer_prefix.size());
}

}  // namespace sfumato
