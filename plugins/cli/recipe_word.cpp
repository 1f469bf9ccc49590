// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recipes given as a file, a preset or a filter.
#include "recipe_word.hpp"

#include <filesystem>
#include <utility>

#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"
#include "job.hpp"
#include "params/suggest.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

// Whether the word names a file rather than a preset. A folder is neither, and must not hide a
// preset.
bool means_file(const std::string& word) {
  const fs::path path = word;
  if (path.has_parent_path() || path.extension() == ".json") return true;
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return type != fs::file_type::not_found && type != fs::file_type::directory;
}

NamedRecipe parsed_recipe(const std::string& text, const fs::path& folder, std::string label,
                          std::string name, std::string where) {
  NamedRecipe named;
  named.label = std::move(label);
  named.name = std::move(name);
  named.where = std::move(where);
  named.recipe = named.guarded([&] { return parse_recipe(text, Registry::get(), folder); });
  return named;
}

}  // namespace

NamedRecipe read_recipe(const std::string& word, WantedRecipe wanted,
                        const std::vector<std::string>& others) {
  if (means_file(word)) {
    const fs::path file = word;
    const std::string text = files::read_text(file);
    const std::string stem = file.stem().string();
    return parsed_recipe(text, fs::absolute(file).parent_path(), stem, stem, file.string());
  }
  const Presets presets(user_preset_folder());
  const Preset& preset = preset_at(presets, word, wanted, others);
  return parsed_recipe(preset.text, preset.file.parent_path(), preset.name, preset.id,
                       "the preset " + in_quotes(preset.id));
}

const ParameterSet& role_words() {
  static const ParameterSet words(
      "apply", {vocabulary("mask"), vocabulary("normal"), vocabulary("depth"), vocabulary("guide"),
                vocabulary("kernel"), vocabulary("ramp"), vocabulary("overlay")});
  return words;
}

void bind_roles(Recipe& recipe, const Values& roles) {
  for (const auto& [name, picture] : roles) {
    bool taken = false;
    for (Step& step : recipe.steps) {
      const FilterInfo& info = Registry::get().at(step.filter).filter->info();
      if (!step.enabled || info.parameters.find(name) == nullptr) continue;
      // A mask applies to the recipe as a whole only if there is one step.
      if (name == "mask" && recipe.steps.size() > 1) {
        throw UsageError(message(
            {"usage.mask_of_several",
             "a recipe of several steps takes no --mask; write it into the step that it is for"}));
      }
      taken = true;
      if (!step.values.get<ImageRef>(name).bound()) step.values.set(name, picture);
    }
    if (!taken)
      throw UsageError(message({"usage.no_step_takes", "no step of the recipe takes {option}"},
                               option_name(name)));
  }
}

RecipeWord::RecipeWord(const Arguments& arguments, const std::string& usage) {
  if (arguments.empty() || arguments[0].starts_with('-')) {
    throw UsageError(
        message({"usage.which_work", "which filter, recipe or preset? {usage}"}, usage));
  }
  const std::string& word = arguments[0];
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (const RegisteredFilter* found = Registry::get().find(word)) {
    filter_ = &found->filter->info();
    name_ = filter_->id;
    parsed = parse_arguments(rest, &filter_->parameters);
    warn_of_idle_values(*filter_, parsed.values);
    return;
  }
  named_ =
      std::make_unique<NamedRecipe>(read_recipe(word, WantedRecipe::any, Registry::get().ids()));
  name_ = named_->name;
  parsed = parse_arguments(rest, &role_words());
}

Recipe RecipeWord::recipe() const {
  if (filter_ != nullptr) return recipe_of(*filter_, parsed.values);
  Recipe recipe = named_->recipe;
  named_->guarded([&] { bind_roles(recipe, parsed.values); });
  return recipe;
}

}  // namespace sfumato::cli
