// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Presets: recipes with a name, shipped with the program or kept by the user.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "params/recipe.hpp"

namespace sfumato {

/// A file of core/presets as the build embedded it, in order of id.
struct BuiltInPreset {
  std::string_view id;
  std::string_view text;
};
std::span<const BuiltInPreset> built_in_presets();

struct Preset {
  std::string id;              ///< the file's name without ".json"
  std::string name;            ///< a title; the id where the file has none
  std::string category;        ///< "Own" where the file has none
  std::string summary;         ///< one sentence; the filters where the file has none
  std::string text;            ///< the recipe as JSON, as the file has it
  std::filesystem::path file;  ///< empty for built-in presets

  bool built_in() const { return file.empty(); }
  /// The recipe, its image paths made absolute from the preset's folder. Throws RecipeError.
  Recipe recipe() const;
};

/// A file that is no preset: a user's, or one that the program should not have been built with.
struct DamagedPreset {
  std::string id;
  Message why;  ///< one sentence that names the file
};

/// The presets at one moment: the built-in ones, then the user's, each in order of id. A user's
/// preset takes the place of the built-in one of its id.
class Presets {
 public:
  /// Reads the user's presets from `folder`, which need not exist; empty: none.
  explicit Presets(const std::filesystem::path& folder);

  const std::vector<Preset>& all() const { return presets_; }
  /// Files that were left out.
  const std::vector<DamagedPreset>& damaged() const { return damaged_; }
  std::vector<std::string> ids() const;

  /// The preset with this id (letter case aside, '-' counts as '_'), or nullptr if there is none.
  /// Throws RecipeError where the user's file of that id is damaged, since the built-in preset that
  /// it was to replace is not what was asked for.
  const Preset* find(std::string_view id) const;

 private:
  void add_user_file(const std::filesystem::path& file);

  std::vector<Preset> presets_;
  std::vector<DamagedPreset> damaged_;
};

/// Where users keep presets: $XDG_DATA_HOME/sfumato/presets, else ~/.local/share/sfumato/presets;
/// empty where neither variable names a folder.
std::filesystem::path user_preset_folder();

}  // namespace sfumato
