// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Completion of option values.
#include "option_values.hpp"

#include <algorithm>
#include <map>

#include "batch/inputs.hpp"
#include "filters/registry.hpp"
#include "io/animation_output.hpp"
#include "io/io.hpp"
#include "options.hpp"
#include "params/text.hpp"

namespace sfumato::cli {
namespace {

using Completions = std::vector<std::pair<std::string, std::string>>;

// The values of options that are not parameters.
const std::map<std::string, Completions, std::less<>>& fixed_values() {
  static const std::map<std::string, Completions, std::less<>> all{
      {"--bits",
       {{"8", "bytes"},
        {"16", "16-bit whole numbers"},
        {"half", "16-bit floats"},
        {"float", "32-bit floats"}}},
      {"--profile",
       {{"keep", "the profile and the colours stay"},
        {"srgb", "colours are converted"},
        {"strip", "the numbers stay, without their profile"}}},
      {"--existing",
       {{"refuse", "do not start"},
        {"skip", "leave these files out"},
        {"rename", "give new outputs another name"},
        {"overwrite", "replace them"}}}};
  return all;
}

void offer_compressions(const CompletionWriter& offers) {
  std::map<std::string, std::string> formats;
  for (const FormatInfo& format : writable_formats()) {
    for (const std::string& name : format.compressions) {
      formats[name] += (formats[name].empty() ? "" : ", ") + format.name;
    }
  }
  for (const auto& [name, of] : formats) offers.word(name, of);
}

void offer_methods(const CompletionWriter& offers, const ParameterSet& set) {
  // Completes the part after the last comma.
  const std::size_t comma = offers.typed().rfind(',');
  const std::string before = comma == std::string::npos ? "" : offers.typed().substr(0, comma + 1);
  for (const ChoiceOption& c : set.at("method").choices) {
    const bool given = ("," + before).find("," + c.id + ",") != std::string::npos;
    if (!given) offers.word(before + c.id, c.help);
  }
}

void offer_values_of(const CompletionWriter& offers, const Parameter& p) {
  switch (p.kind) {
    case Kind::boolean:
      offers.word("yes", "");
      offers.word("no", "");
      break;
    case Kind::choice:
      for (const ChoiceOption& c : p.choices) offers.word(c.id, c.help.empty() ? c.label : c.help);
      break;
    case Kind::image:
      offers.files(picture_extensions());
      break;
    case Kind::real:
    case Kind::integer:
      offers.message(p.label + ", " + print_range(p.valid, p.unit));
      break;
    default:
      offers.message(p.help);
  }
}

void offer_wanted(const CompletionWriter& offers, const OptionHelp& o) {
  if (o.wanted == ArgumentKind::picture) return offers.files(picture_extensions());
  if (o.wanted == ArgumentKind::file) return offers.files();
  if (o.wanted == ArgumentKind::folder) return offers.folders();
  offers.message(o.help);
}

const OptionHelp* find_option(const std::string& option, const std::vector<OptionHelp>& own) {
  for (const std::vector<OptionHelp>* all : {&own, &common_option_help()}) {
    const auto found = std::find_if(all->begin(), all->end(),
                                    [&](const OptionHelp& o) { return option == o.name; });
    if (found != all->end()) return &*found;
  }
  return nullptr;
}

const Parameter* find_parameter(const std::string& option, const ParameterSet* set) {
  const bool named = set != nullptr && option.size() > 2 && option.starts_with("--");
  return named ? set->find(option.substr(2)) : nullptr;
}

// Short forms of batch's options.
std::string long_form(const std::string& option) {
  return option == "-o" ? "--output" : option == "-j" ? "--jobs" : option;
}

}  // namespace

void offer_filters(const CompletionWriter& offers) {
  for (const RegisteredFilter& f : Registry::get().all()) {
    offers.word(f.filter->info().id, f.filter->info().summary);
  }
}

bool offer_values(const CompletionWriter& offers, const std::string& given, const ParameterSet* set,
                  const std::vector<OptionHelp>& own) {
  const std::string option = long_form(given);
  if (option == "--device") {
    complete_devices(offers);
    return true;
  }
  if (const auto fixed = fixed_values().find(option); fixed != fixed_values().end()) {
    for (const auto& [word, text] : fixed->second) offers.word(word, text);
    return true;
  }
  if (option == "--methods" && set != nullptr && set->find("method") != nullptr) {
    offer_methods(offers, *set);
    return true;
  }
  if (option == "--compression") {
    offer_compressions(offers);
    return true;
  }
  if (option == "--format") {
    for (const FormatInfo& f : writable_formats()) offers.word(f.extensions.front(), f.name);
    return true;
  }
  if (option == "--join") {
    for (const AnimationFormat& f : animation_formats()) offers.word(f.extensions.front(), f.name);
    return true;
  }
  if (const Parameter* p = find_parameter(option, set)) {
    offer_values_of(offers, *p);
    return true;
  }
  const OptionHelp* o = find_option(option, own);
  if (o == nullptr || o->argument[0] == '\0') return false;
  offer_wanted(offers, *o);
  return true;
}

bool takes_value(const std::string& given, const ParameterSet* set,
                 const std::vector<OptionHelp>& own) {
  const std::string option = long_form(given);
  if (find_parameter(option, set) != nullptr) return true;
  const OptionHelp* o = find_option(option, own);
  return o != nullptr && o->argument[0] != '\0';
}

}  // namespace sfumato::cli
