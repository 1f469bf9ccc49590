// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reading the command line with CLI11; parameters themselves are read by the model's one parser.
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>

#include "params/errors.hpp"
#include "params/suggest.hpp"

namespace sfumato::cli {

const std::vector<OptionHelp>& common_option_help() {
  static const std::vector<OptionHelp> all{
      {"--device", "D",
       "auto, gpu, cpu, reference, a number, or part of a name (see `sfumato devices`)"},
      {"--bits", "N", "depth of the output: 8, 16, half or float; by default that of the input"},
      {"--overwrite", "", "replace OUTPUT if it exists"},
      {"--dither", "", "spread rounding errors when writing 8 or 16 bits, so that no bands appear"},
      {"--compression", "NAME",
       "compression of the output: fast or small in PNG; lzw, zip or none in TIFF; zip, zips, piz, "
       "rle, none, pxr24, b44 or dwaa in OpenEXR"},
      {"--quality", "N", "1 to 100 for JPEG and WebP, default 95; 100 is lossless in WebP"},
      {"--strip-metadata", "",
       "leave EXIF, IPTC and XMP out of the output; the colour profile stays"},
      {"--profile", "P",
       "keep the colour profile, convert the colours to srgb, or strip the profile without "
       "changing the values; default keep"},
      {"--strip-profile", "", "short for --profile strip"},
      {"--memory", "MB", "device memory to use"},
      {"--max-pixels", "N", "refuse pictures with more pixels than this (default 2147483648)"},
      {"--verbose", "", "say which device and method are used, and how long it took", Wanted::text,
       "-v"}};
  return all;
}

std::string option_name(const std::string& parameter) {
  std::string name = "--" + parameter;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

namespace {

constexpr std::array bits_allowed = {"8", "16", "half", "float"};
constexpr std::array profiles_allowed = {"keep", "srgb", "strip"};

std::string checked_bits(const std::string& text) {
  if (std::find(bits_allowed.begin(), bits_allowed.end(), text) == bits_allowed.end()) {
    throw UsageError("--bits takes 8, 16, half or float, not " + in_quotes(text));
  }
  return text;
}

std::string checked_profile(const std::string& text, bool stripped) {
  if (std::find(profiles_allowed.begin(), profiles_allowed.end(), text) == profiles_allowed.end()) {
    throw UsageError("--profile takes keep, srgb or strip, not " + in_quotes(text));
  }
  if (stripped && text != "strip") {
    throw UsageError("--profile " + text + " and --strip-profile contradict each other");
  }
  return text;
}

std::int64_t checked_number(const char* option, const std::string& text, std::int64_t least,
                            std::int64_t most, const char* unit = "") {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most) {
    throw UsageError(std::string(option) + " takes a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most) + unit + ", not " + in_quotes(text));
  }
  return value;
}

}  // namespace

Parsed parse_arguments(const Arguments& arguments, const ParameterSet* set) {
  Parsed parsed;
  CommonOptions& common = parsed.common;
  std::string bits, profile, quality, memory, max_pixels;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("--device", common.device);
  app.add_option("--bits", bits);
  app.add_flag("--overwrite", common.overwrite);
  app.add_flag("--verbose,-v", common.verbose);
  app.add_flag("--dither", common.dither);
  app.add_flag("--strip-metadata", common.strip_metadata);
  app.add_option("--profile", profile);
  app.add_flag("--strip-profile");
  app.add_option("--quality", quality);
  app.add_option("--compression", common.compression);
  app.add_option("--memory", memory);
  app.add_option("--max-pixels", max_pixels);

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
  // Behind "--" everything is a file.
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  try {
    std::vector<std::string> reversed(std::make_reverse_iterator(end), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    throw UsageError(text.substr(0, text.find(':')) + " takes exactly one value, given once");
  } catch (const CLI::ConversionError& e) {  // all values are texts, so only a switch can fail
    const std::string text = e.what();
    const std::size_t name = std::min(text.find("--"), text.size());
    throw UsageError(text.substr(name, text.find_first_of(" =", name) - name) +
                     " is a switch and takes no value");
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
  if (end != arguments.end()) {
    parsed.positional.insert(parsed.positional.end(), end + 1, arguments.end());
  }
  for (const OptionHelp& o : common_option_help()) {
    if (app.count(o.name) != 0) parsed.given.emplace_back(o.name);
  }
  if (app.count("--bits") != 0) common.bits = checked_bits(bits);
  const bool stripped = app.count("--strip-profile") != 0;
  if (stripped) common.profile = "strip";
  if (app.count("--profile") != 0) common.profile = checked_profile(profile, stripped);
  if (app.count("--quality") != 0) {
    common.quality = static_cast<int>(checked_number("--quality", quality, 1, 100));
  }
  if (app.count("--memory") != 0) {
    common.memory = checked_number("--memory", memory, 16, std::int64_t{1} << 30, " MB");
  }
  if (app.count("--max-pixels") != 0) {
    common.max_pixels = checked_number("--max-pixels", max_pixels, 1, std::int64_t{1} << 48);
  }
  if (set != nullptr) {
    for (const Parameter& p : *set) {
      if (app.count(option_name(p.name)) != 0) set_text(parsed.values, *set, p.name, texts[p.name]);
    }
  }
  return parsed;
}

}  // namespace sfumato::cli
