// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads and parses a recipe; errors begin with the file's name.
#include "document/recipe_file.hpp"

#include <QFileInfo>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"

namespace sfumato::gui {

ReadRecipe read_recipe(const QString& path) {
  std::string text;
  try {
    text = files::read_text(native_path(path));
  } catch (const std::exception& error) {
    return {{}, fault_of(error)};
  }
  try {
    return {parse_recipe(text, Registry::get(), native_path(QFileInfo(path).absolutePath())), {}};
  } catch (const std::exception& error) {
    return {{}, QFileInfo(path).fileName() + QLatin1String(": ") + fault_of(error)};
  }
}

}  // namespace sfumato::gui
