// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The word of the command line that says what to do: a recipe file, a preset, or a filter.
#pragma once

#include <memory>
#include <string>

#include "commands.hpp"
#include "job.hpp"
#include "options.hpp"
#include "params/errors.hpp"
#include "params/recipe.hpp"

namespace sfumato::cli {

/// A recipe with its names.
struct NamedRecipe {
  Recipe recipe;
  std::string label;  ///< for messages
  std::string name;   ///< for file names: the file's stem or the preset's id
  std::string where;  ///< prefix of error messages

  /// Calls `body`, adding the location to recipe and parameter errors.
  template <typename Body>
  auto guarded(Body&& body) const {
    try {
      return body();
    } catch (const RecipeError& e) {
      throw RecipeError(message({"recipe.where", "{where}: {why}"}, where, e.message()), e.step());
    } catch (const ParameterError& e) {
      throw RecipeError(message({"recipe.where", "{where}: {why}"}, where, e.message()));
    }
  }
};

/// A file takes precedence over a preset of the same name. `others`: what else may have been meant.
/// Throws UsageError, FileError or RecipeError.
NamedRecipe read_recipe(const std::string& word, WantedRecipe wanted,
                        const std::vector<std::string>& others = {});

/// The image parameters that commands with recipes accept besides the common options.
const ParameterSet& role_words();

/// Binds a picture of the command line to every enabled step that takes it and has none. Throws
/// UsageError if no step does.
void bind_roles(Recipe& recipe, const Values& roles);

/// A filter with its values, or a recipe with pictures for roles.
class RecipeWord {
 public:
  /// Reads the first argument as the word and parses the others. Throws UsageError, and what
  /// parse_arguments() and read_recipe() throw.
  RecipeWord(const Arguments& arguments, const std::string& usage);

  Parsed parsed;  ///< values taken out of it do not count in recipe()
  const std::string& name() const { return name_; }
  Recipe recipe() const;

 private:
  const FilterInfo* filter_ = nullptr;
  std::unique_ptr<NamedRecipe> named_;
  std::string name_;
};

}  // namespace sfumato::cli
