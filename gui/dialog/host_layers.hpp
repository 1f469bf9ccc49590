// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a host has beside the picture that is filtered.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "params/recipe.hpp"

namespace sfumato::gui {

/// The other layers of the host's document, for the roles (normal, depth, guide, mask). A recipe
/// names them by layer_reference(). GUI thread.
class HostLayers {
 public:
  virtual ~HostLayers() = default;

  /// As the document shows them, from the top; each name once.
  virtual const std::vector<std::string>& names() const = 0;
  /// A file as open_picture() reads it with that layer's pixels, on the canvas that the picture
  /// lies on too; written when it is first asked for. Throws FileError, in particular where there
  /// is no such layer.
  virtual std::filesystem::path file_of(const std::string& name) = 0;
};

/// The recipe with files in place of layers. Throws FileError.
Recipe with_files(const Recipe& recipe, HostLayers& layers);

}  // namespace sfumato::gui
