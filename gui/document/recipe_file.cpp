// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads and parses a recipe; errors begin with the file's name.
#include "document/recipe_file.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include "device/files.hpp"
#include "document/fault.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"

namespace sfumato::gui {

ReadRecipe read_recipe(const QString& path) {
  try {
    std::string text;
    if (!read_file(native_path(path), text)) {
      return {{},
              QCoreApplication::translate("sfumato::gui::MainWindow",
                                          "cannot read %1; check that it exists and is readable")
                  .arg(path)};
    }
    return {parse_recipe(text, Registry::get(), native_path(QFileInfo(path).absolutePath())), {}};
  } catch (const std::exception& error) {
    return {{}, QFileInfo(path).fileName() + QLatin1String(": ") + fault_of(error)};
  }
}

}  // namespace sfumato::gui
