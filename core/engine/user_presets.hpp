// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Keeping, naming and removing the user's presets.
#pragma once

#include <filesystem>
#include <string>

#include "engine/presets.hpp"

namespace sfumato {

/// The id, and file name, of a preset with this title (UTF-8): ASCII in lower case, '_' for what is
/// no letter or digit of it, all else as it is, at most 60 bytes; "preset" where nothing is left.
std::string preset_id_of(std::string_view title);

/// The title, with a number behind it where a preset in `folder` or a built-in one has its id.
std::string free_preset_title(const std::filesystem::path& folder, std::string_view title);

/// Keeps the recipe as a preset of that title in `folder`, which is made where it is missing, and
/// returns its file. Image paths are kept relative to the folder. Throws RecipeError where a preset
/// of the same id is there, built in or the user's, unless `replace` (which never harms built-in
/// ones: the user's stands before them), or where the file cannot be written.
std::filesystem::path save_preset(const std::filesystem::path& folder, std::string_view title,
                                  Recipe recipe, bool replace = false);

/// Gives a user's preset another title; its file takes the new id. Throws RecipeError for built-in
/// presets, where the title is taken, or where the file cannot be written.
std::filesystem::path rename_preset(const Preset& preset, std::string_view title);

/// Removes a user's preset. Throws RecipeError for built-in presets and where it cannot be removed.
void remove_preset(const Preset& preset);

}  // namespace sfumato
