// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Presets: named recipes, shipped with the program or saved by the user.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "params/recipe.hpp"

namespace sfumato {

/// A file of core/presets embedded by the build, in order of id.
struct BuiltInPreset {
  std::string_view id;
  std::string_view text;
};
std::span<const BuiltInPreset> built_in_presets();

struct Preset {
  std::string id;              ///< the file's name without ".json"
  std::string name;            ///< a title; defaults to the id
  std::string category;        ///< defaults to "Own"
  std::string summary;         ///< one sentence; defaults to the list of filters
  std::string text;            ///< the recipe as JSON, verbatim
  std::filesystem::path file;  ///< empty for built-in presets

  bool built_in() const { return file.empty(); }
  /// The recipe, with image paths resolved against the preset's folder. Throws RecipeError.
  Recipe recipe() const;
};

/// A file that is not a valid preset: a user's, or one the program was wrongly built with.
struct DamagedPreset {
  std::string id;
  Message why;  ///< one sentence that names the file
};

/// A snapshot of the presets: the built-in ones, then the user's, each in order of id. A user's
/// preset replaces the built-in one with the same id.
class Presets {
 public:
  /// Reads the user's presets from `folder`, which need not exist; empty: none.
  explicit Presets(const std::filesystem::path& folder);

  const std::vector<Preset>& all() const { return presets_; }
  /// Files that were left out.
  const std::vector<DamagedPreset>& damaged() const { return damaged_; }
  std::vector<std::string> ids() const;

  /// The preset with this id (ignoring case, with '-' as '_'), or nullptr if there is none. Throws
  /// RecipeError if the user's file of that id is damaged, rather than falling back to the built-in
  /// preset that it replaces.
  const Preset* find(std::string_view id) const;

 private:
  void add_user_file(const std::filesystem::path& file);

  std::vector<Preset> presets_;
  std::vector<DamagedPreset> damaged_;
};

/// The folder of users' presets: $XDG_DATA_HOME/sfumato/presets, else
/// ~/.local/share/sfumato/presets; empty if neither variable is set.
std::filesystem::path user_preset_folder();

}  // namespace sfumato
