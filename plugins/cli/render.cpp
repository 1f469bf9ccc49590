// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters and recipes on files.
#include <cstdio>
#include <optional>
#include <thread>
#include <utility>

#include "commands.hpp"
#include "filters/registry.hpp"
#include "image/processors.hpp"
#include "io/render_file.hpp"
#include "job.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"
#include "params/vocabulary.hpp"
#include "recipe_word.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

int render(const Recipe& recipe, const std::string& label, const Parsed& parsed) {
  const CommonOptions& common = parsed.common;
  FileJob job;
  job.input = parsed.positional[0];
  job.output = parsed.positional[1];
  job.recipe = recipe;
  job.read = read_options(common, job.input);
  job.write = write_options(common);
  job.warn = [](const Message& warning) { say(warning); };
  job.cancelled = interrupted;
  // Checks everything possible before a library or a device is loaded.
  check_files(job);
  check_recipe(recipe);

  limit_compute_threads(common.threads);  // before one of them may start
  const std::jthread loading = prepare_files(job.read);
  check_device(common);
  Session session(session_options(common));
  // The device opens meanwhile; the render reports any errors.
  std::jthread opening([&session] { session.prepare(); });
  std::optional<FileReport> done;
  {
    ProgressBar bar(label);
    job.progress = [&bar](double part) { bar.show(part); };
    done = render_file(session, std::move(job));
  }
  if (common.verbose) {
    const RenderReport& report = done->render;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.2f", report.seconds);
    say(report.tiles == 1
            ? message({"render.done", "{width} x {height} pixels on {device}, 1 tile, {seconds} s"},
                      done->format.width, done->format.height, report.device, seconds)
            : message({"render.done_in_tiles",
                       "{width} x {height} pixels on {device}, {tiles} tiles, {seconds} s"},
                      done->format.width, done->format.height, report.device, report.tiles,
                      seconds));
  }
  return 0;
}

}  // namespace

int run_filter(const std::string& filter, const Arguments& arguments) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  const Parsed parsed = parse_arguments(arguments, &info.parameters);
  warn_of_idle_values(info, parsed.values);
  require_two_files(parsed, "sfumato " + info.id + " INPUT OUTPUT [--PARAMETER VALUE ...]");
  try {
    return render(recipe_of(info, parsed.values), info.label, parsed);
  } catch (const ParameterError& e) {
    const Parameter* p = info.parameters.find(e.parameter());
    if (p == nullptr || p->kind != Kind::image) throw;
    std::string options;
    for (const RoleInfo& role : info.roles) {
      options += (options.empty() ? "" : ", ") + option_name(role.parameter) + " FILE";
    }
    throw UsageError(message({"usage.role_needed", "{reason} ({options})"}, e.message(), options));
  }
}

int run_apply(const Arguments& arguments) {
  static const std::string usage = "sfumato apply RECIPE.json|PRESET INPUT OUTPUT";
  Parsed parsed = parse_arguments(arguments, &role_words());
  if (parsed.positional.empty())
    throw UsageError(message({"usage.which_recipe", "which recipe or preset? {usage}"}, usage));
  const std::string word = parsed.positional[0];
  parsed.positional.erase(parsed.positional.begin());
  require_two_files(parsed, usage);
  NamedRecipe named = read_recipe(word, WantedRecipe::recipe);
  return named.guarded([&] {
    bind_roles(named.recipe, parsed.values);
    return render(named.recipe, named.label, parsed);
  });
}

}  // namespace sfumato::cli
