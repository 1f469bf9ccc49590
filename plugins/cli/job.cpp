// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Turns options into sessions, files and roles.
#include "job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "batch/inputs.hpp"
#include "device/device.hpp"
#include "filters/filter.hpp"
#include "filters/registry.hpp"
#include "image/processors.hpp"
#include "io/file_origin.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"

namespace sfumato::cli {

namespace {

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

}  // namespace

ReadOptions read_options(const CommonOptions& common) {
  ReadOptions options;
  if (common.no_sandbox) {
    static const bool said =
        (say(message(
             {"cli.no_sandbox", "files are decoded in this process, unprotected (--no-sandbox)"})),
         true);
    options.contained = !said;
  }
  if (common.max_pixels != 0) options.max_pixels = static_cast<std::uint64_t>(common.max_pixels);
  return options;
}

ReadOptions read_options(const CommonOptions& common, const std::filesystem::path& input) {
  ReadOptions options = read_options(common);
  if (has_movie_extension(input)) {
    options.frame = common.page;
  } else {
    options.page = static_cast<int>(std::min<std::int64_t>(common.page, most_pages + 1));
  }
  return options;
}

WriteOptions write_options(const CommonOptions& common) {
  WriteOptions write;
  write.bits = bits_of(common.bits);
  write.overwrite = common.overwrite;
  write.quality = common.quality;
  write.compression = common.compression;
  write.profile = profile_of(common.profile);
  write.keep_metadata = !common.strip_metadata;
  write.dither = common.dither;
  write.resizing = common.resizing;
  return write;
}

SessionOptions session_options(const CommonOptions& common) {
  SessionOptions options;
  options.device = common.device;
  options.memory_limit = static_cast<std::size_t>(common.memory) << 20;
  options.verbose = common.verbose;
  // A compiler interrupted by Ctrl-C reports errors, which the user need not see. What applies to
  // every render of a picture is reported once.
  options.log = [said = std::set<std::string>()](const Message& line) mutable {
    if (!interrupted() && said.insert(in_english(line)).second) say(line);
  };
  return options;
}

void check_recipe(const Recipe& recipe) {
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    Registry::get().at(step.filter).filter->check(step.values);
  }
  check_role_files(recipe);
}

void check_role_files(const Recipe& recipe) {
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    for (const auto& [name, value] : step.values) {
      const auto* role = std::get_if<ImageRef>(&value);
      if (role != nullptr && role->bound()) check_input(role->path);
    }
  }
}

const Start& start_devices(const std::string& device, bool lists) {
  static const Start start = [&device, lists] {
    StartOptions options;
    options.device = device;
    options.any_time = lists;
    options.cancelled = interrupted;
    options.tell = [](const Message& sentence) {
      if (::isatty(STDERR_FILENO) != 0) say(sentence);
    };
    Start made = sfumato::start_devices(options);
    // Whoever lists devices wants to see those of OpenCL, too.
    if (lists) set_opencl_aside(false);
    // Avoids loading a driver whose trial was interrupted.
    if (interrupted()) throw Cancelled();
    if (!lists || !made.no_driver) {
      for (const Message& sentence : made.sentences) say(sentence);
    }
    return made;
  }();
  return start;
}

void check_device(const CommonOptions& common) {
  const char* named = std::getenv("SFUMATO_DEVICE");
  const std::string request = !common.device.empty() ? common.device
                              : named != nullptr     ? named
                                                     : "";
  limit_compute_threads(common.threads);
  if (request == "reference") return;
  start_devices(request);
  if (common.device.empty() || common.device == "auto") return;
  try {
    choose_devices(list_devices(), common.device);
  } catch (const NoDeviceFits& e) {
    throw UsageError(e.message());
  }
}

namespace {

Message no_such(WantedRecipe wanted, const std::string& word, const std::string& nearest) {
  const bool but = !nearest.empty();
  switch (wanted) {
    case WantedRecipe::preset:
      return but ? message({"usage.no_preset_but",
                            "there is no preset {word}; did you mean {nearest}? (`sfumato presets` "
                            "lists the presets)"},
                           word, in_quotes(nearest))
                 : message({"usage.no_preset",
                            "there is no preset {word} (`sfumato presets` lists the presets)"},
                           word);
    case WantedRecipe::recipe:
      return but ? message({"usage.no_recipe_but",
                            "there is no recipe file or preset {word}; did you mean {nearest}? "
                            "(`sfumato presets` lists the presets)"},
                           word, in_quotes(nearest))
                 : message({"usage.no_recipe",
                            "there is no recipe file or preset {word} (`sfumato presets` lists the "
                            "presets)"},
                           word);
    case WantedRecipe::any:
      break;
  }
  return but ? message({"usage.no_work_but",
                        "there is no filter, recipe file or preset {word}; did you mean {nearest}? "
                        "(`sfumato presets` lists the presets)"},
                       word, in_quotes(nearest))
             : message({"usage.no_work",
                        "there is no filter, recipe file or preset {word} (`sfumato presets` lists "
                        "the presets)"},
                       word);
}

}  // namespace

const Preset& preset_at(const Presets& presets, const std::string& id, WantedRecipe wanted,
                        const std::vector<std::string>& others) {
  if (const Preset* preset = presets.find(id)) return *preset;
  std::vector<std::string> known = presets.ids();
  known.insert(known.end(), others.begin(), others.end());
  throw UsageError(no_such(wanted, in_quotes(id), nearest_name(id, known)));
}

void warn_of_idle_values(const FilterInfo& info, const Values& given) {
  const Values all = complete(info.parameters, given);
  for (const auto& [name, value] : given) {
    const Parameter* p = info.parameters.find(name);
    if (p == nullptr || p->visible_if.evaluate(all)) continue;
    say(message({"usage.no_effect", "{option} has no effect here: it counts only when {condition}"},
                option_name(name), p->visible_if.text()));
  }
}

RoleResolver role_files(const CommonOptions& common, const InputPicture& picture) {
  return sfumato::role_files(picture, read_options(common),
                             [](const Message& warning) { say(warning); });
}

void refuse_compared(const std::filesystem::path& output,
                     const std::vector<std::filesystem::path>& inputs) {
  for (const std::filesystem::path& input : inputs) {
    std::error_code none;
    if (!std::filesystem::equivalent(output, input, none)) continue;
    throw FileError(message({"file.is_compared",
                             "{file} is one of the pictures that are compared; choose another "
                             "name for the output"},
                            files::shown(output)));
  }
}

void check_chart(const std::filesystem::path& path, const WriteOptions& options) {
  if (path.extension() != ".svg") {
    throw UsageError(message({"usage.chart_name",
                              "--plot draws a chart as SVG: its name must end in .svg, unlike "
                              "{file}"},
                             files::shown(path)));
  }
  files::check_target(path, options, [](const auto&, const auto&) {});
}

void require_two_files(const Parsed& parsed, const std::string& usage) {
  if (parsed.positional.size() == 2) return;
  throw UsageError(
      parsed.positional.size() < 2
          ? message({"usage.two_files", "an INPUT and an OUTPUT are needed: {usage}"}, usage)
          : message({"usage.only_two_files",
                     "only one INPUT and one OUTPUT are taken, not also {word}: {usage}"},
                    in_quotes(parsed.positional[2]), usage));
}

}  // namespace sfumato::cli
