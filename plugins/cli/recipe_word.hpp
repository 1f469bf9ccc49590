// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The word of the command line that says what is done: a recipe's file, a preset, or a filter.
#pragma once

#include <memory>
#include <string>

#include "commands.hpp"
#include "options.hpp"
#include "params/errors.hpp"
#include "params/recipe.hpp"

namespace sfumato::cli {

/// A recipe with what it is called.
struct NamedRecipe {
  Recipe recipe;
  std::string label;  ///< for people
  std::string name;   ///< for files: the file's stem, the preset's id
  std::string where;  ///< stands before what is wrong with it

  /// Calls `body`, and says where it was if a recipe's or a parameter's error leaves it.
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

/// A file takes precedence over a preset of the same name. `wanted` says what would have been
/// taken, and `others` what else may have been meant. Throws UsageError, FileError or RecipeError.
NamedRecipe read_recipe(const std::string& word, const std::string& wanted,
                        const std::vector<std::string>& others = {});

/// The image parameters that recipes take beside the common options.
const ParameterSet& role_words();

/// Gives every enabled step that takes such a picture and has none the one of the command line.
/// Throws UsageError where no step does.
void bind_roles(Recipe& recipe, const Values& roles);

/// A filter with its values, or a recipe with pictures for roles.
class RecipeWord {
 public:
  /// Takes the first argument for the word and parses the others. Throws UsageError and what
  /// parse_arguments() and read_recipe() throw.
  RecipeWord(const Arguments& arguments, const std::string& usage);

  Parsed parsed;  ///< what is taken out of its values does not count for recipe()
  const std::string& name() const { return name_; }
  Recipe recipe() const;

 private:
  const FilterInfo* filter_ = nullptr;
  std::unique_ptr<NamedRecipe> named_;
  std::string name_;
};

}  // namespace sfumato::cli
