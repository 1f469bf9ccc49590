// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Saves, renames and removes the user's presets.
#pragma once

#include <filesystem>
#include <string>

#include "engine/presets.hpp"

namespace sfumato {

/// The id, and file name, of a preset with this title (UTF-8): ASCII in lower case, with '_' for
/// ASCII characters that are neither letters nor digits; other characters are kept. At most 60
/// bytes; "preset" if nothing is left.
std::string preset_id_of(std::string_view title);

/// The title, numbered if a preset in `folder` or a built-in one already has its id.
std::string free_preset_title(const std::filesystem::path& folder, std::string_view title);

/// Saves the recipe as a preset with this title in `folder`, which is created if missing, and
/// returns its file. Image paths are made relative to the folder. Throws RecipeError if a preset
/// with the same id exists, built-in or the user's, unless `replace` is set (a built-in one is then
/// only hidden), or if the file cannot be written.
std::filesystem::path save_preset(const std::filesystem::path& folder, std::string_view title,
                                  Recipe recipe, bool replace = false);

/// Renames a user's preset; its file takes the new id. Throws RecipeError for a built-in preset, if
/// the title is taken, or if the file cannot be written.
std::filesystem::path rename_preset(const Preset& preset, std::string_view title);

/// Removes a user's preset. Throws RecipeError for a built-in preset or if the file cannot be
/// removed.
void remove_preset(const Preset& preset);

}  // namespace sfumato
