// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reading and writing recipes.
#include "params/recipe.hpp"

#include <algorithm>
#include <climits>
#include <exception>
#include <nlohmann/json.hpp>

#include "params/json.hpp"
#include "params/json_text.hpp"
#include "params/layer_reference.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* format_key = "sfumato";
constexpr const char* steps_key = "steps";
constexpr std::size_t most_steps = 1000;  // far beyond practical use, and cheap to hold

/// Prefixes errors with "step 2 (gaussian): ", counted from 1 for the user.
class StepErrors {
 public:
  explicit StepErrors(std::size_t index) : index_(index) {}

  void name(std::string filter) { filter_ = std::move(filter); }

  [[noreturn]] void fail(Message why) const {
    const int index = static_cast<int>(std::min<std::size_t>(index_, INT_MAX));
    if (filter_.empty()) {
      throw RecipeError(message({"recipe.step", "step {step}: {why}"}, index_ + 1, std::move(why)),
                        index);
    }
    throw RecipeError(message({"recipe.step_of", "step {step} ({filter}): {why}"}, index_ + 1,
                              filter_, std::move(why)),
                      index);
  }

 private:
  std::size_t index_;
  std::string filter_;
};

/// A version: an integer from 1 that fits an int; otherwise 0.
int version_in(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > INT_MAX) return 0;
  return json.get<int>();
}

const Json* member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

/// The members whose names are not in `known`.
Json others_of(const Json& object, std::initializer_list<std::string_view> known) {
  Json extra = Json::object();
  auto& members = extra.get_ref<Json::object_t&>();
  for (const auto& [name, value] : object.get_ref<const Json::object_t&>())
    if (std::find(known.begin(), known.end(), std::string_view(name)) == known.end())
      static_cast<Json::object_t::Container&>(members).emplace_back(name, value);
  return extra;
}

/// Appends `extra`, without overwriting members the program wrote.
void append(Json& object, const Json& extra) {
  if (!extra.is_object()) return;
  for (const auto& [name, value] : extra.items())
    if (!object.contains(name)) object[name] = value;
}

fs::path absolute_folder(const fs::path& folder) {
  std::error_code error;
  fs::path absolute = fs::absolute(folder, error);
  if (error) absolute = folder;
  return absolute.lexically_normal();
}

template <typename Change>
void change_paths(const ParameterSet& set, Values& values, Change change) {
  for (const Parameter& parameter : set) {
    if (parameter.kind != Kind::image) continue;
    ImageRef image = values.get<ImageRef>(parameter.name);
    if (!image.bound() || layer_of(image)) continue;
    image.path = change(fs::path(image.path)).string();
    values.set(parameter.name, image);
  }
}

void resolve(const ParameterSet& set, Values& values, const fs::path& folder) {
  change_paths(set, values, [&](const fs::path& path) {
    return path.is_absolute() ? path : (folder / path).lexically_normal();
  });
}

void relativise(const ParameterSet& set, Values& values, const fs::path& folder) {
  change_paths(set, values, [&](const fs::path& path) {
    if (!path.is_absolute()) return path;
    const fs::path relative = path.lexically_normal().lexically_relative(folder);
    return relative.empty() ? path : relative;
  });
}

void migrate(Json& values, const Step& step, int current, const FilterLookup& lookup,
             const StepErrors& errors) {
  for (int version = step.version; version < current; ++version) {
    const Migration migration = lookup.migration(step.filter, version);
    if (!migration) continue;
    try {
      migration(values);
    } catch (const std::exception& error) {
      errors.fail(message({"recipe.no_migration",
                           "its values could not be taken from version {from} to {to}: {why}"},
                          version, version + 1, message_in(error)));
    }
  }
}

Message unknown_filter(const std::string& given, const FilterLookup& lookup) {
  const std::string nearest = nearest_name(given, lookup.ids());
  if (nearest.empty()) {
    return message({"recipe.unknown_filter", "unknown filter {filter}"}, in_quotes(given));
  }
  return message({"recipe.unknown_filter_but", "unknown filter {filter}; did you mean {nearest}?"},
                 in_quotes(given), in_quotes(nearest));
}

std::string filter_in(const Json& json, const FilterLookup& lookup, const StepErrors& errors) {
  const Json* filter = member(json, "filter");
  if (!filter) errors.fail(message({"recipe.no_filter", "it has no \"filter\""}));
  if (!filter->is_string())
    errors.fail(message({"recipe.filter_text", "\"filter\" must be a text"}));
  const std::string given = filter->get<std::string>();
  std::string id = scan::underscored(given);
  if (!lookup.parameters(id)) errors.fail(unknown_filter(given, lookup));
  return id;
}

Step parse_step(const Json& json, std::size_t index, const FilterLookup& lookup,
                const fs::path& folder) {
  StepErrors errors(index);
  if (!json.is_object())
    errors.fail(
        message({"recipe.step_object", "it must be an object with \"filter\" and \"values\""}));
  Step step;
  step.filter = filter_in(json, lookup, errors);
  errors.name(step.filter);
  const ParameterSet& set = *lookup.parameters(step.filter);

  const int current = lookup.version(step.filter);
  const Json* version = member(json, "version");
  step.version = version ? version_in(*version) : current;
  if (step.version < 1) {
    const bool large = version->is_number_unsigned() && version->get<std::uint64_t>() > INT_MAX;
    if (!large)
      errors.fail(message({"recipe.step_version", "\"version\" must be a whole number from 1"}));
  }
  if (step.version < 1 || step.version > current)
    throw RecipeError(
        message({"recipe.newer_filter",
                 "recipe needs {filter} version {version}; this program knows version {known}: "
                 "update Sfumato"},
                step.filter, version->dump(), current),
        static_cast<int>(index));

  if (const Json* enabled = member(json, "enabled")) {
    if (!enabled->is_boolean())
      errors.fail(message({"recipe.enabled", "\"enabled\" must be true or false"}));
    step.enabled = enabled->get<bool>();
  }

  const Json* given = member(json, "values");
  if (given && !given->is_object())
    errors.fail(message({"recipe.values", "\"values\" must be an object of names and values"}));
  Json values = given ? *given : Json::object();
  migrate(values, step, current, lookup, errors);
  step.version = current;
  try {
    step.values = sfumato::from_json(set, values);
  } catch (const ParameterError& error) {
    errors.fail(error.message());
  }
  if (!folder.empty()) resolve(set, step.values, folder);
  step.extra = JsonObject::of(others_of(json, {"filter", "version", "enabled", "values"}));
  return step;
}

void check_format(const Json& json) {
  const Json* format = member(json, format_key);
  if (!format)
    throw RecipeError(message(
        {"recipe.no_version", "this is not a Sfumato recipe: it has no \"sfumato\" version"}));
  if (!format->is_number_unsigned() || format->get<std::uint64_t>() < 1)
    throw RecipeError(message(
        {"recipe.bad_version", "the recipe's \"sfumato\" version must be a whole number from 1"}));
  if (format->get<std::uint64_t>() > recipe_format)
    throw RecipeError(
        message({"recipe.newer_format",
                 "the recipe has format version {version}; this program knows version {known}: "
                 "update Sfumato"},
                format->dump(), recipe_format));
}

Recipe read_recipe(std::string_view text, const FilterLookup& lookup, const fs::path& folder) {
  const Json json = parse_json(text);
  if (!json.is_object())
    throw RecipeError(
        message({"recipe.no_object", "this is not a Sfumato recipe: it is not a JSON object"}));
  check_format(json);
  const Json* steps = member(json, steps_key);
  if (!steps) throw RecipeError(message({"recipe.no_steps", "the recipe has no \"steps\""}));
  if (!steps->is_array())
    throw RecipeError(message({"recipe.bad_steps", "the recipe's \"steps\" must be an array"}));
  if (steps->empty())
    throw RecipeError(
        message({"recipe.empty", "the recipe's \"steps\" are empty: it does nothing"}));

  if (steps->size() > most_steps)
    throw RecipeError(
        message({"recipe.many_steps", "the recipe has {count} steps; at most {most} are allowed"},
                steps->size(), most_steps));

  const fs::path base = folder.empty() ? fs::path() : absolute_folder(folder);
  Recipe recipe;
  recipe.steps.reserve(steps->size());
  for (std::size_t i = 0; i < steps->size(); ++i)
    recipe.steps.push_back(parse_step((*steps)[i], i, lookup, base));
  recipe.extra = JsonObject::of(others_of(json, {format_key, steps_key}));
  return recipe;
}

Json step_json(const Step& step, std::size_t index, const FilterLookup& lookup,
               const fs::path& folder) {
  StepErrors errors(index);
  const ParameterSet* set = lookup.parameters(step.filter);
  if (!set) errors.fail(unknown_filter(step.filter, lookup));
  errors.name(step.filter);
  Json json = Json::object();
  json["filter"] = step.filter;
  json["version"] = lookup.version(step.filter);
  json["enabled"] = step.enabled;
  try {
    Values values = complete(*set, step.values);
    if (!folder.empty()) relativise(*set, values, folder);
    json["values"] = to_json(*set, values);
  } catch (const ParameterError& error) {
    errors.fail(error.message());
  }
  append(json, step.extra.json());
  return json;
}

}  // namespace

Migration FilterLookup::migration(std::string_view, int) const {
  return {};
}

Recipe parse_recipe(std::string_view text, const FilterLookup& lookup,
                    const std::filesystem::path& folder) {
  try {
    return read_recipe(text, lookup, folder);
  } catch (const RecipeError&) {
    throw;
  } catch (const JsonError& error) {
    throw RecipeError(
        message({"recipe.unreadable", "the recipe cannot be read: {why}"}, error.message()));
  } catch (const std::exception& error) {
    throw RecipeError(
        message({"recipe.unreadable", "the recipe cannot be read: {why}"}, message_in(error)));
  }
}

std::string print_recipe(const Recipe& recipe, const FilterLookup& lookup,
                         const std::filesystem::path& folder) {
  if (recipe.steps.empty())
    throw RecipeError(message({"recipe.without_steps", "a recipe without steps does nothing"}));
  const fs::path base = folder.empty() ? fs::path() : absolute_folder(folder);
  Json json = Json::object();
  json[format_key] = recipe_format;
  Json steps = Json::array();
  for (std::size_t i = 0; i < recipe.steps.size(); ++i)
    steps.push_back(step_json(recipe.steps[i], i, lookup, base));
  json[steps_key] = std::move(steps);
  append(json, recipe.extra.json());
  try {
    return print_json(json);
  } catch (const JsonError& error) {
    throw RecipeError(
        message({"recipe.unwritable", "the recipe cannot be written: {why}"}, error.message()));
  }
}

}  // namespace sfumato
