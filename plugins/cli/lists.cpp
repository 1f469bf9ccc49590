// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Lists of filters, presets and devices, and printed recipes.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "device/device.hpp"
#include "device/program_cache.hpp"
#include "device/tuning.hpp"
#include "engine/presets.hpp"
#include "filters/describe.hpp"
#include "filters/registry.hpp"
#include "job.hpp"
#include "options.hpp"
#include "params/json_text.hpp"
#include "params/layer_reference.hpp"
#include "params/recipe.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

bool wants_json(const Arguments& arguments, const char* command) {
  bool json = false;
  for (const std::string& word : arguments) {
    if (word != "--json") {
      throw UsageError(
          message({"usage.only_json", "`sfumato {command}` takes only --json, not {word}"}, command,
                  in_quotes(word)));
    }
    json = true;
  }
  return json;
}

// The stable name used by `sfumato devices --json`.
const char* origin_word(TuningOrigin origin) {
  return origin == TuningOrigin::user      ? "user"
         : origin == TuningOrigin::shipped ? "shipped"
                                           : "defaults";
}

int print_preset(const std::string& id) {
  const Presets presets(user_preset_folder());
  // With full paths for a user's preset that names pictures, so that the recipe works when saved
  // elsewhere.
  std::fputs(
      print_recipe(preset_at(presets, id, WantedRecipe::preset).recipe(), Registry::get()).c_str(),
      stdout);
  return 0;
}

void print_presets_json(const Presets& presets) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Preset& p : presets.all()) {
    nlohmann::ordered_json entry{{"id", p.id},
                                 {"name", p.name},
                                 {"category", p.category},
                                 {"summary", p.summary},
                                 {"built_in", p.built_in()}};
    if (!p.built_in()) entry["file"] = p.file.string();
    entry["recipe"] = parse_json(print_recipe(p.recipe(), Registry::get()));
    list.push_back(std::move(entry));
  }
  std::puts(nlohmann::ordered_json{{"presets", list}}.dump(2).c_str());
}

}  // namespace

int run_filters(const Arguments& arguments) {
  if (wants_json(arguments, "filters")) {
    std::puts(describe_all().dump(2).c_str());
    return 0;
  }
  for (const RegisteredFilter& f : Registry::get().all()) {
    const FilterInfo& info = f.filter->info();
    std::printf("%-18s %-16s %s\n", info.id.c_str(), info.category.c_str(), info.summary.c_str());
  }
  return 0;
}

int run_devices(const Arguments& arguments) {
  const bool json = wants_json(arguments, "devices");
  const Start& start = start_devices("", true);
  const std::vector<Message>& left_out = start.left_out;
  const std::vector<DeviceInfo> devices = list_devices();
  bool warned = false;
  const auto warn = [&warned](const Message& sentence) {
    if (!warned) say(sentence);
    warned = true;
  };
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const DeviceInfo& d = devices[i];
      const Tuning tuning = load_tuning(d, d.natural_form(), default_cache_folder(), warn);
      list.push_back({{"number", i},
                      {"name", d.name},
                      {"kind", d.cpu ? "cpu" : "gpu"},
                      {"platform", d.platform},
                      {"version", d.version},
                      {"driver", d.driver},
                      {"built_in", d.built_in},
                      {"compute_units", d.compute_units},
                      {"memory", d.global_memory},
                      {"local_memory", d.local_memory},
                      {"sizes", origin_word(tuning.origin())}});
    }
    nlohmann::ordered_json all{{"devices", list}};
    if (!left_out.empty()) all["left_out"] = in_english(left_out);
    std::puts(all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    return 0;
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo& d = devices[i];
    const Tuning tuning = load_tuning(d, d.natural_form(), default_cache_folder(), warn);
    std::printf("%zu  %s  %s\n", i, d.cpu ? "CPU" : "GPU", d.title().c_str());
    if (d.built_in) {
      std::printf("   built in, %s, %u threads", d.version.c_str(), d.compute_units);
    } else {
      std::printf("   %s, driver %s, %u units", d.platform.c_str(), d.driver.c_str(),
                  d.compute_units);
    }
    std::printf(", %zu MB; sizes: %s\n", d.global_memory >> 20,
                in_english(origin_message(tuning.origin())).c_str());
  }
  if (devices.empty()) {
    std::puts("No OpenCL device was found; filters run by the slow built-in reference.");
    // No advice to install a driver if one may be installed but is left out.
    if (left_out.empty() && !start.too_little_memory) {
      std::puts("Debian's package pocl-opencl-icd makes the processor an OpenCL device.");
    }
  }
  for (const std::string& driver : in_english(left_out))
    std::printf("not used: %s\n", driver.c_str());
  return 0;
}

int run_presets(const Arguments& arguments) {
  if (arguments.size() > 1) {
    throw UsageError(
        message({"usage.presets",
                 "`sfumato presets` takes --json or the id of one preset, not also {word}"},
                in_quotes(arguments[1])));
  }
  const std::string word = arguments.empty() ? "" : arguments[0];
  if (!arguments.empty() && word.rfind('-', 0) != 0) return print_preset(word);
  const bool json = wants_json(arguments, "presets");
  const Presets presets(user_preset_folder());
  for (const DamagedPreset& damaged : presets.damaged()) say(damaged.why);
  if (json) {
    print_presets_json(presets);
    return 0;
  }
  for (const Preset& p : presets.all()) {
    std::printf("%-22s %-22s %s\n", p.id.c_str(), p.category.c_str(), p.summary.c_str());
  }
  return 0;
}

int run_recipe(const Arguments& arguments) {
  if (arguments.empty())
    throw UsageError(
        message({"usage.recipe_of_what", "which filter? For example: sfumato recipe gaussian"}));
  const FilterInfo& info = Registry::get().at(arguments[0]).filter->info();
  const Parsed parsed =
      parse_arguments(Arguments(arguments.begin() + 1, arguments.end()), &info.parameters);
  if (!parsed.positional.empty()) {
    throw UsageError(message(
        {"usage.recipe_takes", "`sfumato recipe` takes a filter and its parameters, not {word}"},
        in_quotes(parsed.positional[0])));
  }
  if (!parsed.given.empty()) {
    throw UsageError(message(
        {"usage.not_in_recipe",
         "{option} is not part of a recipe; give it to `sfumato apply` when the recipe is used"},
        parsed.given[0]));
  }
  Recipe recipe = recipe_of(info, parsed.values);
  // `apply` resolves paths against the recipe's folder, which is unknown here; full paths always
  // work.
  for (const Parameter& p : info.parameters) {
    if (p.kind != Kind::image) continue;
    auto image = recipe.steps[0].values.get<ImageRef>(p.name);
    if (!image.bound() || layer_of(image)) continue;
    image.path = std::filesystem::absolute(image.path).lexically_normal().string();
    recipe.steps[0].values.set(p.name, image);
  }
  std::puts(print_recipe(recipe, Registry::get()).c_str());
  return 0;
}

}  // namespace sfumato::cli
