// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters and recipes on files.
#include <cstdio>
#include <thread>

#include "commands.hpp"
#include "engine/plan.hpp"
#include "filters/registry.hpp"
#include "job.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"
#include "params/vocabulary.hpp"
#include "recipe_word.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

int render(const Recipe& recipe, const std::string& label, const Parsed& parsed) {
  const CommonOptions& common = parsed.common;
  const fs::path input_path = parsed.positional[0], output_path = parsed.positional[1];
  WriteOptions write = write_options(common);
  write.in_color = makes_colour(recipe);
  write.input_path = input_path;
  write.cancelled = interrupted;
  // Everything that can be refused is refused here, before a library or a device is loaded.
  check_input(input_path);
  check_output(output_path, write);
  check_recipe(recipe);
  check_device(common);

  Session session(session_options(common));
  // The device opens while the file library loads; what goes wrong there, render() says.
  std::jthread opening([&session] { session.prepare(); });

  const auto input = open_picture(input_path, read_options(common));
  const auto output = create_picture(output_path, write, *input);
  for (const Message& warning : input->warnings()) say(warning);
  for (const Message& warning : output->warnings()) say(warning);

  RenderOptions options;
  options.roles = role_files(common, *input);
  options.dither = common.dither;
  RenderReport report;
  {
    ProgressBar bar(label);
    options.progress = [&bar](double part) { return bar.show(part); };
    report = session.render(recipe, *input, *output, options);
  }
  if (interrupted()) throw Cancelled();
  output->commit();
  if (common.verbose) {
    char line[200];
    std::snprintf(line, sizeof line, "%d x %d pixels on %s, %d tile%s, %.2f s",
                  input->format().width, input->format().height, report.device.c_str(),
                  report.tiles, report.tiles == 1 ? "" : "s", report.seconds);
    say(line);
  }
  return 0;
}

}  // namespace

int run_filter(const std::string& filter, const Arguments& arguments) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  const Parsed parsed = parse_arguments(arguments, &info.parameters);
  warn_of_idle_values(info, parsed.values);
  want_two_files(parsed, "sfumato " + info.id + " INPUT OUTPUT [--PARAMETER VALUE ...]");
  try {
    return render(recipe_of(info, parsed.values), info.label, parsed);
  } catch (const ParameterError& e) {
    const Parameter* p = info.parameters.find(e.parameter());
    if (p == nullptr || p->kind != Kind::image) throw;
    std::string options;
    for (const RoleWish& role : info.roles) {
      options += (options.empty() ? "" : ", ") + option_name(role.parameter) + " FILE";
    }
    throw UsageError(std::string(e.what()) + " (" + options + ")");
  }
}

int run_apply(const Arguments& arguments) {
  static const std::string usage = "sfumato apply RECIPE.json|PRESET INPUT OUTPUT";
  Parsed parsed = parse_arguments(arguments, &role_words());
  if (parsed.positional.empty()) throw UsageError("which recipe or preset? " + usage);
  const std::string word = parsed.positional[0];
  parsed.positional.erase(parsed.positional.begin());
  want_two_files(parsed, usage);
  NamedRecipe named = read_recipe(word, "recipe file or preset");
  return named.guarded([&] {
    bind_roles(named.recipe, parsed.values);
    return render(named.recipe, named.label, parsed);
  });
}

}  // namespace sfumato::cli
