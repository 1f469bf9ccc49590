// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reading the command line with CLI11; parameters themselves are read by the model's one parser.
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "params/errors.hpp"
#include "params/suggest.hpp"

namespace sfumato::cli {

const std::vector<OptionHelp>& common_option_help() {
  static const std::vector<OptionHelp> all{
      {"--device", "D",
       "auto, gpu, cpu, reference, a number, or part of a name (see `sfumato devices`)"},
      {"--bits", "N", "depth of the output: 8, 16, half or float; else as the input"},
      {"--overwrite", "", "replace OUTPUT if it exists"},
      {"--dither", "", "spread rounding errors when 8 or 16 bits are written"},
      {"--quality", "N", "1 to 100 for JPEG and WebP, default 95; 100 is lossless in WebP"},
      {"--strip-metadata", "", "leave EXIF, IPTC and XMP out of OUTPUT; the colour profile stays"},
      {"--memory", "MB", "device memory to use"},
      {"--max-pixels", "N", "refuse pictures with more pixels than this (default 2147483648)"},
      {"--verbose", "", "say which device and method is used, and how long it took"}};
  return all;
}

std::string option_name(const std::string& parameter) {
  std::string name = "--" + parameter;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Parsed parse_arguments(const Arguments& arguments, const ParameterSet* set) {
  Parsed parsed;
  CommonOptions& common = parsed.common;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("--device", common.device);
  app.add_option("--bits", common.bits)->check(CLI::IsMember({"8", "16", "half", "float"}));
  app.add_flag("--overwrite", common.overwrite);
  app.add_flag("--verbose,-v", common.verbose);
  app.add_flag("--dither", common.dither);
  app.add_flag("--strip-metadata", common.strip_metadata);
  app.add_option("--quality", common.quality)->check(CLI::Range(1, 100));
  app.add_option("--memory", common.memory)
      ->check(CLI::Range(std::int64_t{16}, std::int64_t{1} << 30));
  app.add_option("--max-pixels", common.max_pixels)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 48));

  std::vector<std::string> known;
  for (const OptionHelp& o : common_option_help()) known.emplace_back(o.name);
  std::map<std::string, std::string> texts;
  if (set != nullptr) {
    for (const Parameter& p : *set) {
      std::string names = option_name(p.name);
      known.push_back(names);
      if (p.name.find('_') != std::string::npos) names += ",--" + p.name;
      app.add_option(names, texts[p.name]);
    }
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    throw UsageError(text.substr(0, text.find(':')) + " takes exactly one value, given once");
  } catch (const CLI::ParseError& e) {
    throw UsageError(e.what());
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word[0] == '-') {
      const std::string name = word.substr(0, word.find('='));
      throw UsageError(
          "there is no option " + in_quotes(name) + did_you_mean(name, known) +
          (set != nullptr ? " (`sfumato help " + set->filter() + "` lists them)" : ""));
    }
    parsed.positional.push_back(word);
  }
  if (set != nullptr) {
    for (const Parameter& p : *set) {
      if (app.count(option_name(p.name)) != 0) set_text(parsed.values, *set, p.name, texts[p.name]);
    }
  }
  return parsed;
}

}  // namespace sfumato::cli
