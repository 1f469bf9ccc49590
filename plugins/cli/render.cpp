// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters and recipes on files.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "commands.hpp"
#include "engine/plan.hpp"
#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "job.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"
#include "params/vocabulary.hpp"
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

ProfileChoice profile_of(const std::string& text) {
  if (text == "srgb") return ProfileChoice::srgb;
  return text == "strip" ? ProfileChoice::strip : ProfileChoice::keep;
}

int render(const Recipe& recipe, const std::string& label, const Parsed& parsed) {
  const CommonOptions& common = parsed.common;
  const fs::path input_path = parsed.positional[0], output_path = parsed.positional[1];
  WriteOptions write;
  write.bits = bits_of(common.bits);
  write.overwrite = common.overwrite;
  write.quality = common.quality;
  write.compression = common.compression;
  write.profile = profile_of(common.profile);
  write.keep_metadata = !common.strip_metadata;
  write.dither = common.dither;
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

// Whether the word of `apply` is a file's and not a preset's name. A folder is neither, and must
// not stand before a preset.
bool means_file(const std::string& word) {
  const fs::path path = word;
  if (path.has_parent_path() || path.extension() == ".json") return true;
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return type != fs::file_type::not_found && type != fs::file_type::directory;
}

// What `apply` takes beside the common options: pictures for roles.
const ParameterSet& role_words() {
  static const ParameterSet words(
      "apply", {vocabulary("mask"), vocabulary("normal"), vocabulary("depth"), vocabulary("guide"),
                vocabulary("kernel")});
  return words;
}

// Gives every enabled step that takes such a picture and has none the one of the command line.
void bind_roles(Recipe& recipe, const Values& roles) {
  for (const auto& [name, picture] : roles) {
    bool taken = false;
    for (Step& step : recipe.steps) {
      const FilterInfo& info = Registry::get().at(step.filter).filter->info();
      if (!step.enabled || info.parameters.find(name) == nullptr) continue;
      // A mask is for the recipe as a whole only where it is one step.
      if (name == "mask" && recipe.steps.size() > 1) {
        throw UsageError(
            "a recipe of several steps takes no --mask; write it into the step that "
            "it is for");
      }
      taken = true;
      if (!step.values.get<ImageRef>(name).bound()) step.values.set(name, picture);
    }
    if (!taken) throw UsageError("no step of the recipe takes " + option_name(name));
  }
}

// `where` stands before what is wrong with the recipe.
int apply_text(const std::string& text, const fs::path& folder, const std::string& where,
               const std::string& label, const Parsed& parsed) {
  try {
    Recipe recipe = parse_recipe(text, Registry::get(), folder);
    bind_roles(recipe, parsed.values);
    return render(recipe, label, parsed);
  } catch (const RecipeError& e) {
    throw RecipeError(where + ": " + e.what(), e.step());
  } catch (const ParameterError& e) {
    throw RecipeError(where + ": " + e.what());
  }
}

int apply_file(const fs::path& file, const Parsed& parsed) {
  check_input(file);
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw FileError("cannot read the recipe " + file.string());
  return apply_text(text, fs::absolute(file).parent_path(), file.string(), file.stem().string(),
                    parsed);
}

int apply_preset(const Preset& preset, const Parsed& parsed) {
  return apply_text(preset.text, preset.file.parent_path(), "the preset " + in_quotes(preset.id),
                    preset.name, parsed);
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
  if (means_file(word)) return apply_file(word, parsed);
  const Presets presets(user_preset_folder());
  return apply_preset(preset_at(presets, word, "recipe file or preset"), parsed);
}

}  // namespace sfumato::cli
