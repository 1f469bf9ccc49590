// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters and recipes on files.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "commands.hpp"
#include "filters/registry.hpp"
#include "job.hpp"
#include "params/errors.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

std::optional<SampleType> bits_of(const std::string& text) {
  if (text == "8") return SampleType::u8;
  if (text == "16") return SampleType::u16;
  if (text == "half") return SampleType::f16;
  if (text == "float") return SampleType::f32;
  return std::nullopt;
}

int render(const Recipe& recipe, const std::string& label, const Parsed& parsed) {
  const CommonOptions& common = parsed.common;
  const fs::path input_path = parsed.positional[0], output_path = parsed.positional[1];
  WriteOptions write;
  write.bits = bits_of(common.bits);
  write.overwrite = common.overwrite;
  write.quality = common.quality;
  write.keep_metadata = !common.strip_metadata;
  write.dither = common.dither;
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
  for (const std::string& warning : input->warnings()) say(warning);
  for (const std::string& warning : output->warnings()) say(warning);

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
  Parsed parsed = parse_arguments(arguments, nullptr);
  if (parsed.positional.empty()) {
    throw UsageError("which recipe? sfumato apply RECIPE.json INPUT OUTPUT");
  }
  const fs::path file = parsed.positional[0];
  parsed.positional.erase(parsed.positional.begin());
  want_two_files(parsed, "sfumato apply RECIPE.json INPUT OUTPUT");
  check_input(file);
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw FileError("cannot read the recipe " + file.string());
  const fs::path folder = fs::absolute(file).parent_path();
  try {
    return render(parse_recipe(text, Registry::get(), folder), file.stem().string(), parsed);
  } catch (const RecipeError& e) {
    throw RecipeError(file.string() + ": " + e.what(), e.step());
  } catch (const ParameterError& e) {
    throw RecipeError(file.string() + ": " + e.what());
  }
}

}  // namespace sfumato::cli
