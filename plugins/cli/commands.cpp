// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The commands as help and completion tell them.
#include "commands.hpp"

#include <algorithm>

#include "batch_options.hpp"
#include "options.hpp"

namespace sfumato::cli {
namespace {

std::vector<std::string> options_but(const std::vector<std::string>& without) {
  std::vector<std::string> names;
  for (const OptionHelp& o : common_option_help()) {
    if (std::find(without.begin(), without.end(), o.name) == without.end()) {
      names.emplace_back(o.name);
    }
  }
  return names;
}

}  // namespace

const std::vector<CommandInfo>& all_commands() {
  static const std::vector<OptionHelp> json_option{
      {"--json", "", "for programs: one JSON object; its keys stay as they are"}};
  static const std::vector<CommandInfo> all{
      {"apply",
       "sfumato apply RECIPE.json|PRESET INPUT OUTPUT [options]",
       "run a recipe or a preset",
       "Runs the steps of a recipe or a preset (see `sfumato presets`), one after another; an "
       "existing file goes before a preset of its name. Pictures that the recipe names for masks, "
       "normals, depths and other roles are looked for from the recipe's folder; --normal, "
       "--depth, "
       "--guide, --kernel and --mask FILE give one to the steps that name none.",
       options_but({}),
       {{"--normal", "FILE", "the picture for steps that take normals and name none",
         Wanted::picture},
        {"--depth", "FILE", "the same for depth", Wanted::picture},
        {"--guide", "FILE", "the same for the guide", Wanted::picture},
        {"--kernel", "FILE", "the same for the kernel", Wanted::picture},
        {"--mask", "FILE", "the same for the mask", Wanted::picture}},
       {"sfumato apply faded-film photo.jpg faded.jpg",
        "sfumato apply clean.json render.exr clean.exr --normal render.exr --depth render.exr"}},
      {"batch",
       "sfumato batch RECIPE.json|PRESET|FILTER [--PARAMETER VALUE ...] -o DIR FILES|FOLDERS...",
       "many files, safely",
       "Runs a filter, a recipe or a preset on many files. Inputs are files, folders, patterns "
       "(*, ?, [a-z], and ** for folders at any depth) and numbered sequences (shot.####.exr, "
       "shot.%04d.exr, shot.1001-1100####.exr). Nothing is begun where an output would have to "
       "replace a file; each output appears whole or not at all; a file that fails is told and the "
       "others go on. What was done is written into a journal beside the outputs, and --resume "
       "goes on after whatever ended a run. Pictures for roles are found by a pattern, as "
       "--normal '{folder}/{stem}_N.exr'.",
       options_but({}),
       batch_option_help(),
       {"sfumato batch gaussian --sigma 8 -o soft photos/",
        "sfumato batch sepia -o frames --format jpg clip.mp4",
        "find . -name '*.png' -print0 | sfumato batch median -o out --files-from -"}},
      {"compare",
       "sfumato compare FILTER INPUT SHEET.png [--methods A,B] [--PARAMETER VALUE ...] [options]",
       "the methods of a filter, side by side",
       "Renders INPUT by several methods of one filter (all of them, or those that --methods "
       "names) and draws them side by side on a sheet: the whole picture, a detail at 1:1 where "
       "they differ most, and the differences from the exact method, made visible. The table on "
       "the terminal gives each method's time, its PSNR and its largest error. Times are medians "
       "of whole renders in memory, conversions included.",
       options_but({"--bits", "--dither", "--strip-metadata", "--profile", "--strip-profile",
                    "--compression"}),
       {{"--methods", "A,B", "the methods to compare, with commas between; else all"}},
       {"sfumato compare gaussian photo.jpg sheet.png --sigma 8 --methods boxes,fft"}},
      {"devices",
       "sfumato devices [--json]",
       "list the OpenCL devices",
       "Lists the OpenCL devices, the best first, with the numbers that --device takes.",
       {},
       json_option},
      {"filters",
       "sfumato filters [--json]",
       "list the filters",
       "Lists the filters; --json tells all about their parameters.",
       {},
       json_option},
      {"help",
       "sfumato help [FILTER or COMMAND]",
       "all about a filter or a command",
       "Tells all about a filter or a command.",
       {},
       {},
       {"sfumato help gaussian"}},
      {"presets",
       "sfumato presets [--json | PRESET]",
       "list the presets, or print one",
       "Lists the presets: id, category and what they do; --json tells all about them. With the id "
       "of one, prints its recipe, to be saved and changed. Recipes that you keep as .json files "
       "in ~/.local/share/sfumato/presets, or $XDG_DATA_HOME/sfumato/presets, are presets too, and "
       "take the place of the program's where they have the same name.",
       {},
       json_option,
       {"sfumato presets sepia > mine.json"}},
      {"recipe",
       "sfumato recipe FILTER [--PARAMETER VALUE ...]",
       "print a recipe",
       "Prints a recipe of one step, every value written out, for `sfumato apply` and other "
       "programs. Files are written with their full path.",
       {},
       {},
       {"sfumato recipe gaussian --sigma 3 > soft.json"}},
      {"tune",
       "sfumato tune [--device D] [--json] [FILTER...] | sfumato tune --reset [--device D]",
       "find a device's fastest sizes",
       "Times the sizes of groups and strips that filters may run with on a device, the first that "
       "--device allows, and keeps the fastest in ~/.cache/sfumato/tuning.json, or "
       "$XDG_CACHE_HOME/sfumato/tuning.json, for every later run. It takes up to a minute, and "
       "changes the speed alone: a size with other pixels is refused. Leave the machine in peace "
       "meanwhile. --reset forgets them.",
       {"--device"},
       {{"--json", "", "for programs: one JSON object; its keys stay as they are"},
        {"--reset", "", "forget the sizes of the device"}},
       {"sfumato tune --device gpu gaussian"}}};
  return all;
}

const CommandInfo* find_command(const std::string& name) {
  for (const CommandInfo& c : all_commands()) {
    if (c.name == name) return &c;
  }
  return nullptr;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandInfo& c : all_commands()) names.push_back(c.name);
  return names;
}

void refuse_other_options(const CommandInfo& command, const std::vector<std::string>& given) {
  for (const std::string& option : given) {
    if (std::find(command.options.begin(), command.options.end(), option) !=
        command.options.end()) {
      continue;
    }
    throw UsageError(option + " means nothing to `sfumato " + command.name + "` (`sfumato help " +
                     command.name + "` lists what it takes)");
  }
}

}  // namespace sfumato::cli
