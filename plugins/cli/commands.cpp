// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The commands, as described by help and completion.
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

const std::vector<CommandInfo>& all_commands() {  // NOLINT(readability-function-size): a table
  static const OptionHelp json_option{"--json", "",
                                      "for programs: print one JSON object with stable keys"};
  static const std::vector<CommandInfo> all{
      {"apply",
       "sfumato apply RECIPE.json|PRESET INPUT OUTPUT [options]",
       "run a recipe or a preset",
       "Runs the steps of a recipe or a preset (see `sfumato presets`), one after another; a file "
       "takes precedence over a preset of the same name. Paths of pictures that the recipe names "
       "for masks, normals, depths and other roles start at the recipe's folder; --normal, "
       "--depth, --guide, --kernel, --ramp, --overlay and --mask FILE supply one to the steps that "
       "name none.",
       options_but({}),
       {{"--normal", "FILE", "the picture for steps that take normals and name none",
         ArgumentKind::picture},
        {"--depth", "FILE", "the same for depth", ArgumentKind::picture},
        {"--guide", "FILE", "the same for the guide", ArgumentKind::picture},
        {"--kernel", "FILE", "the same for the kernel", ArgumentKind::picture},
        {"--ramp", "FILE", "the same for the ramp of colours", ArgumentKind::picture},
        {"--overlay", "FILE", "the same for the overlay", ArgumentKind::picture},
        {"--mask", "FILE", "the same for the mask", ArgumentKind::picture}},
       {"sfumato apply faded-film photo.jpg faded.jpg",
        "sfumato apply clean.json render.exr clean.exr --normal render.exr --depth render.exr"},
       {"batch", "presets", "recipe"}},
      {"batch",
       "sfumato batch RECIPE.json|PRESET|FILTER [--PARAMETER VALUE ...] -o DIR FILES|FOLDERS...",
       "apply a filter or recipe to many files",
       "Runs a filter, a recipe or a preset on many files. Inputs are files, folders, patterns (*, "
       "?, [a-z], and ** for folders at any depth) and numbered sequences (shot.####.exr, "
       "shot.%04d.exr, shot.1001-1100####.exr). The batch does not start if an output would "
       "replace a file, unless --existing allows it; each output appears whole or not at all; a "
       "file that fails is reported; the others continue. What was done is recorded in a journal "
       "beside the outputs, and --resume continues a run however it ended. Pictures for roles are "
       "found by a pattern, such as --normal '{folder}/{stem}_N.exr'.",
       options_but({}),
       batch_option_help(),
       {"sfumato batch gaussian --sigma 8 -o soft photos/",
        "sfumato batch sepia -o frames --format jpg clip.mp4",
        "find . -name '*.png' -print0 | sfumato batch median -o out --files-from -"},
       {"apply", "presets", "recipe"}},
      {"compare",
       "sfumato compare FILTER|RECIPE.json|PRESET INPUT SHEET.png|PAGE.html [--PARAMETER VALUE "
       "...] "
       "[options]",
       "compare methods, values, recipes and devices side by side",
       "Renders INPUT by every combination of what is varied: methods of a filter (all of them, if "
       "nothing else is varied), values of parameters, recipes, devices. They are drawn side by "
       "side on a sheet: the whole picture, a detail at 1:1 where they differ most, and the "
       "differences from the exact method or the first device, amplified, or from what --against "
       "names; two things that vary make a grid. A page in HTML has a slider between any two of "
       "them, and needs no network. "
       "The "
       "table gives each variant's time, its PSNR and its largest error. Times are those of whole "
       "renders in memory, conversions included: the first one compiles the filter's program; the "
       "median of further ones is given where they take less than a fifth of a second, or as "
       "--renders "
       "says.",
       options_but({"--bits", "--dither", "--strip-metadata", "--profile", "--strip-profile",
                    "--compression", "--fit", "--scale", "--filter"}),
       {{"--methods", "A,B", "the methods to compare, separated by commas"},
        {"--vary", "NAME=A,B",
         "a parameter and its values, such as sigma=2,8,32; 2.sigma is that of a recipe's second "
         "step; may be given twice"},
        {"--recipes", "A,B", "recipes, presets or filters beside the first one"},
        {"--devices", "A,B", "devices, as --device takes them"},
        {"--forms", "A,B", "forms of the kernels: gpu, cpu"},
        {"--original", "", "show the original, too"},
        {"--against", "NAME", "compare all with this variant, or with the original"},
        {"--crop", "WxH+X+Y",
         "the detail, in pixels of the picture as it is shown, instead of where they differ most"},
        {"--renders", "N", "render each variant so often"},
        {"--plot", "FILE.svg",
         "a chart of time and error over the number that varies, a curve for each method and "
         "device"}},
       {"sfumato compare gaussian photo.jpg sheet.png --sigma 8 --methods boxes,fft",
        "sfumato compare bilateral photo.jpg grid.png --vary sigma=3,9 --vary range-sigma=0.05,0.2",
        "sfumato compare sepia photo.jpg page.html --recipes faded-film,grayscale --original"},
       {"filters", "tune"}},
      {"devices",
       "sfumato devices [--json]",
       "list the OpenCL devices",
       "Lists the OpenCL devices, the best first, with the numbers that --device takes.",
       {},
       {json_option},
       {},
       {"tune"}},
      {"diff",
       "sfumato diff A B [OUT] [options]",
       "compare two pictures",
       "Prints how much two pictures differ, for each channel and over all: the largest difference "
       "and where it is, the mean, the root of the mean square, the peak signal-to-noise ratio, "
       "the "
       "structural similarity (SSIM), how many samples differ by more than the threshold, and the "
       "difference of the colours as they are seen (CIEDE2000). Integer samples count as 0 to 1, "
       "so that pictures of different depths can be compared. Layers and channels of OpenEXR files "
       "are matched by name, depths and masks too. With OUT, writes a picture of the differences. "
       "With --max, the exit status is 1 if the largest difference is more than that, or if one "
       "file lacks a layer or channel of the other.",
       {"--page", "--frame", "--max-pixels", "--no-sandbox", "--bits", "--overwrite",
        "--compression"},
       {{"--threshold", "V", "count samples that differ by more than this; default 0"},
        {"--max", "V", "the largest difference that is allowed"},
        {"--channels", "NAMES", "compare only these channels, or only this layer"},
        {"--offset", "X,Y",
         "where B begins in A, for pictures of different sizes; the common part is compared"},
        {"--profiles", "WHAT",
         "ignore (the default): compare numbers as they are stored; respect: compare colours, "
         "converted to sRGB"},
        {"--show", "KIND",
         "what OUT shows: absolute differences (the default), signed ones around middle gray, or a "
         "map: the largest of each pixel by a scale of colours"},
        {"--gain", "N", "how many times differences are amplified in OUT; by default what fits"},
        json_option},
       {"sfumato diff a.png b.png", "sfumato diff render.exr reference.exr d.png --show map",
        "sfumato diff a.tif b.tif --max 0.002 --json"},
       {"compare"}},
      {"filters",
       "sfumato filters [--json]",
       "list the filters",
       "Lists the filters; with --json, all about their parameters.",
       {},
       {json_option},
       {},
       {"help", "presets"}},
      {"help",
       "sfumato help [FILTER or COMMAND]",
       "show all about a filter or a command",
       "Shows all about a filter or a command.",
       {},
       {},
       {"sfumato help gaussian"},
       {"filters"}},
      {"presets",
       "sfumato presets [--json | PRESET]",
       "list the presets, or print one",
       "Lists the presets: id, category and what they do; with --json, all about them. With the id "
       "of one, prints its recipe, which you can save and change. Recipes that you keep as .json "
       "files in ~/.local/share/sfumato/presets, or $XDG_DATA_HOME/sfumato/presets, are presets "
       "too, and replace built-in presets of the same name.",
       {},
       {json_option},
       {"sfumato presets sepia > mine.json"},
       {"apply", "batch", "recipe"}},
      {"recipe",
       "sfumato recipe FILTER [--PARAMETER VALUE ...]",
       "print a recipe",
       "Prints a recipe of one step with every value written out, for `sfumato apply` and other "
       "programs. Files are written with their full path.",
       {},
       {},
       {"sfumato recipe gaussian --sigma 3 > soft.json"},
       {"apply", "batch", "presets"}},
      {"tune",
       "sfumato tune [--device D] [--json] [FILTER...] | sfumato tune --reset [--device D]",
       "find the fastest sizes for a device",
       "Times the sizes of groups and strips that filters may run with on a device, the first that "
       "--device allows, and saves the fastest in ~/.cache/sfumato/tuning.json, or "
       "$XDG_CACHE_HOME/sfumato/tuning.json, for all later runs. It takes up to a minute, and "
       "changes only the speed: a size that would change a pixel is rejected. Do not use the "
       "machine meanwhile. --reset deletes the saved sizes.",
       {"--device", "--overwrite"},
       {json_option,
        {"--reset", "", "delete the saved sizes of the device"},
        {"--plot", "FILE.svg", "a chart of time over sizes, for each filter"}},
       {"sfumato tune --device gpu gaussian"},
       {"devices"}}};
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
    throw UsageError(message({"usage.option_of_others",
                              "{option} does not apply to `sfumato {command}` (`sfumato help "
                              "{command}` lists what it takes)"},
                             option, command.name));
  }
}

}  // namespace sfumato::cli
