// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recipes: filters in order with their values, as JSON that stays readable across versions.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "params/errors.hpp"
#include "params/json_object.hpp"
#include "params/parameter_set.hpp"

namespace sfumato {

/// The recipe format that this program writes, and the newest it reads.
inline constexpr int recipe_format = 1;

/// One filter with complete, checked values.
struct Step {
  std::string filter;
  int version = 1;
  bool enabled = true;
  Values values;
  JsonObject extra = {};  ///< unknown keys, preserved
  bool operator==(const Step&) const = default;
};

struct Recipe {
  int format = recipe_format;
  std::vector<Step> steps;
  JsonObject extra = {};  ///< unknown keys, preserved
  bool operator==(const Recipe&) const = default;
};

/// Rewrites the values of one filter version for the next version.
using Migration = std::function<void(nlohmann::ordered_json& values)>;

/// What recipes need to know about filters; the registry implements it.
class FilterLookup {
 public:
  virtual ~FilterLookup() = default;

  /// The filter's parameters, or nullptr if no filter has this id (exact, snake_case).
  virtual const ParameterSet* parameters(std::string_view filter) const = 0;
  /// The filter's current version, from 1.
  virtual int version(std::string_view filter) const = 0;
  /// From `from` to `from + 1`; empty if values mean the same in both.
  virtual Migration migration(std::string_view filter, int from) const;
  /// All ids, for suggestions.
  virtual std::vector<std::string> ids() const = 0;
};

/// Reads a recipe. Missing values take their default, older filter versions are migrated, and the
/// steps returned have current versions and complete values. A step without "version" counts as
/// current, one without "enabled" as enabled. Image paths are resolved against `folder`, the
/// recipe's own; with an empty `folder` they stay as written. Throws RecipeError, and nothing else,
/// for text that is not a recipe this program can run.
Recipe parse_recipe(std::string_view text, const FilterLookup& lookup,
                    const std::filesystem::path& folder = {});

/// Writes a recipe with current versions, all values, and image paths relative to `folder` (empty:
/// unchanged). Throws RecipeError if a filter is unknown or a value is not allowed.
std::string print_recipe(const Recipe& recipe, const FilterLookup& lookup,
                         const std::filesystem::path& folder = {});

}  // namespace sfumato
