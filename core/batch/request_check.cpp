// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Refuses contradictory requests before any file is read.
#include "batch/request_check.hpp"

#include <algorithm>
#include <filesystem>

#include "batch/errors.hpp"
#include "filters/registry.hpp"
#include "io/animation_output.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// Only the format and its depth are checked: the folder need not exist yet.
void check_extension(const BatchRequest& request) {
  files::check_format("*." + request.extension, request.write);
}

void check_roles(const BatchRequest& request) {
  for (const auto& [name, role] : request.roles) {
    const auto takes = [&, &parameter = name](const Step& step) {
      return step.enabled &&
             Registry::get().at(step.filter).filter->info().parameters.find(parameter) != nullptr;
    };
    if (std::none_of(request.recipe.steps.begin(), request.recipe.steps.end(), takes)) {
      throw BatchError(message({"batch.no_role", "no step of the recipe takes a picture as {role}"},
                               in_quotes(name)));
    }
    // A mask applies to the recipe as a whole only if that has one step.
    if (name == "mask" && request.recipe.steps.size() > 1) {
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

// Which outputs a shard finds depends on how far the others are, and must not matter.
void check_shards(const BatchRequest& request) {
  if (request.existing == Existing::rename) {
    throw BatchError(message({"batch.shards_rename",
                              "shards cannot rename outputs: the names would depend on which shard "
                              "is first; skip or overwrite what is there"}));
  }
  for (const auto* words : {&request.inputs.words, &request.inputs.listed}) {
    for (const std::string& word : *words) {
      std::error_code error;
      if (words == &request.inputs.listed && !fs::is_directory(word, error)) continue;
      if (!fs::equivalent(searched_folder(word), request.folder, error)) continue;
      throw BatchError(message({"batch.shards_folder",
                                "{folder}: shards need different folders for inputs and outputs, "
                                "or outputs of one would be inputs of another"},
                               request.folder.string()));
    }
  }
}

}  // namespace

void check_request(const BatchRequest& request) {
  if (request.inputs.words.empty() && request.inputs.listed.empty() && request.found.empty())
    throw BatchError(message({"batch.nothing", "no files or folders were given"}));
  if (request.shards < 1 || request.shard < 1 || request.shard > request.shards) {
    throw BatchError(message({"batch.no_shard", "there is no shard {shard} of {shards}"},
                             request.shard, request.shards));
  }
  std::error_code error;
  if (fs::exists(request.folder, error) && !fs::is_directory(request.folder, error)) {
    throw BatchError(
        message({"batch.folder_is_file", "{folder}: this is a file; name a folder for the outputs"},
                request.folder.string()));
  }
  if (request.shards > 1) check_shards(request);
  check_recipe(with_roles(request.recipe, request.roles));
  check_roles(request);
  if (!request.extension.empty()) check_extension(request);
  if (!request.join.empty()) check_animation_format("*." + request.join, request.write);
}

}  // namespace sfumato
