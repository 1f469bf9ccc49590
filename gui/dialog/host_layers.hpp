// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The other layers of the host's document.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "params/recipe.hpp"

namespace sfumato::gui {

/// The other layers, for use as roles (normal, depth, guide, mask). A recipe names them by
/// layer_reference(). GUI thread.
class HostLayers {
 public:
  virtual ~HostLayers() = default;

  /// In the document's order, from the top; unique names.
  virtual const std::vector<std::string>& names() const = 0;
  /// A file with that layer's pixels for open_picture(), on the same canvas as the picture; written
  /// on first request. Throws FileError, in particular if there is no such layer.
  virtual std::filesystem::path file_of(const std::string& name) = 0;
};

/// The recipe with layers replaced by files. Throws FileError.
Recipe with_files(const Recipe& recipe, HostLayers& layers);

}  // namespace sfumato::gui
