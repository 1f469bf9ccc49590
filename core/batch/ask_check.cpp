// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Refuses batches that cannot be meant, before any file is looked at.
#include "batch/ask_check.hpp"

#include <algorithm>
#include <filesystem>

#include "batch/errors.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// The folder need not be there yet: the format and its depth are what counts.
void check_extension(const BatchAsk& ask) {
  files::check_format("*." + ask.extension, ask.write);
}

void check_roles(const BatchAsk& ask) {
  for (const auto& [name, role] : ask.roles) {
    const auto takes = [&, &parameter = name](const Step& step) {
      return step.enabled &&
             Registry::get().at(step.filter).filter->info().parameters.find(parameter) != nullptr;
    };
    if (std::none_of(ask.recipe.steps.begin(), ask.recipe.steps.end(), takes)) {
      throw BatchError(message({"batch.no_role", "no step of the recipe takes a picture as {role}"},
                               in_quotes(name)));
    }
    // A mask is for the recipe as a whole only where it is one step.
    if (name == "mask" && ask.recipe.steps.size() > 1) {
      throw BatchError(message(
          {"batch.mask_of_steps",
           "a recipe of several steps takes no mask; write it into the step that it is for"}));
    }
    NameTemplate{role.path};
  }
}

void check_recipe(const Recipe& recipe) {
  for (const Step& step : recipe.steps) {
    if (step.enabled) Registry::get().at(step.filter).filter->check(step.values);
  }
}

// What a shard sees of the outputs depends on how far the others are: it must not matter.
void check_shards(const BatchAsk& ask) {
  if (ask.existing == Existing::rename) {
    throw BatchError(message({"batch.shards_rename",
                              "shards cannot rename outputs: the names would depend on which shard "
                              "is first; skip or overwrite what is there"}));
  }
  for (const auto* words : {&ask.inputs.words, &ask.inputs.listed}) {
    for (const std::string& word : *words) {
      std::error_code error;
      if (words == &ask.inputs.listed && !fs::is_directory(word, error)) continue;
      if (!fs::equivalent(searched_folder(word), ask.folder, error)) continue;
      throw BatchError(message({"batch.shards_folder",
                                "{folder}: shards want another folder for outputs than for inputs, "
                                "or what one has made would count as another's input"},
                               ask.folder.string()));
    }
  }
}

}  // namespace

void check_ask(const BatchAsk& ask) {
  if (ask.inputs.words.empty() && ask.inputs.listed.empty() && ask.found.empty())
    throw BatchError(message({"batch.nothing", "no files or folders were given"}));
  if (ask.shards < 1 || ask.shard < 1 || ask.shard > ask.shards) {
    throw BatchError(message({"batch.no_shard", "there is no shard {shard} of {shards}"}, ask.shard,
                             ask.shards));
  }
  std::error_code error;
  if (fs::exists(ask.folder, error) && !fs::is_directory(ask.folder, error)) {
    throw BatchError(
        message({"batch.folder_is_file", "{folder}: this is a file; name a folder for the outputs"},
                ask.folder.string()));
  }
  if (ask.shards > 1) check_shards(ask);
  check_recipe(with_roles(ask.recipe, ask.roles));
  check_roles(ask);
  if (!ask.extension.empty()) check_extension(ask);
}

}  // namespace sfumato
