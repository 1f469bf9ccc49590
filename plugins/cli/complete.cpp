// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Completions for the shell, from the parameter model: the script asks the program.
#include <cstdio>

#include "batch_options.hpp"
#include "commands.hpp"
#include "engine/presets.hpp"
#include "engine/tuner.hpp"
#include "filters/registry.hpp"
#include "options.hpp"

namespace sfumato::cli {
namespace {

void offer(const std::string& word, const std::string& begun) {
  if (word.rfind(begun, 0) == 0) std::puts(word.c_str());
}

void offer_presets(const std::string& begun) {
  for (const std::string& id : Presets(user_preset_folder()).ids()) offer(id, begun);
}

// Values of an option that takes a choice; false where files or free text are meant.
bool offer_values(const ParameterSet* set, const std::string& option, const std::string& begun) {
  if (option == "--bits") {
    for (const char* bits : {"8", "16", "half", "float"}) offer(bits, begun);
    return true;
  }
  if (option == "--profile") {
    for (const char* profile : {"keep", "srgb", "strip"}) offer(profile, begun);
    return true;
  }
  if (option == "--methods" && set != nullptr && set->find("method") != nullptr) {
    // What is begun after the last comma.
    const std::size_t comma = begun.rfind(',');
    const std::string before = comma == std::string::npos ? "" : begun.substr(0, comma + 1);
    for (const ChoiceOption& c : set->find("method")->choices) offer(before + c.id, begun);
    return true;
  }
  if (option == "--existing") {
    for (const char* policy : {"refuse", "skip", "rename", "overwrite"}) offer(policy, begun);
    return true;
  }
  if (option == "--device") {
    for (const char* device : {"auto", "gpu", "cpu", "reference"}) offer(device, begun);
    return true;
  }
  const Parameter* p = set != nullptr && option.size() > 2 ? set->find(option.substr(2)) : nullptr;
  if (p == nullptr) return false;
  if (p->kind == Kind::boolean) {
    offer("yes", begun);
    offer("no", begun);
  }
  for (const ChoiceOption& c : p->choices) offer(c.id, begun);
  return p->kind != Kind::image;
}

}  // namespace

int run_complete(const Arguments& given) {
  if (given.empty()) return 0;
  // The shell takes "--border=mi" for three words.
  Arguments words = given;
  if (words.back() == "=") words.emplace_back();
  if (words.size() > 2 && words[words.size() - 2] == "=") words.erase(words.end() - 2);
  const std::string& begun = words.back();
  if (words.size() == 1) {
    for (const std::string& id : Registry::get().ids()) offer(id, begun);
    for (const std::string& name : command_names()) offer(name, begun);
    return 0;
  }
  const std::string& command = words[0];
  const bool names_filter = command == "help" || command == "recipe" || command == "compare";
  if (names_filter && words.size() == 2) {
    if (command == "help") {
      for (const std::string& name : command_names()) offer(name, begun);
    }
    for (const std::string& id : Registry::get().ids()) offer(id, begun);
    return 0;
  }
  if ((command == "apply" || command == "presets") && words.size() == 2) offer_presets(begun);
  if (command == "filters" || command == "devices" || (command == "presets" && words.size() == 2)) {
    offer("--json", begun);
    return 0;
  }
  if (command == "presets") return 0;
  if (command == "tune" && words[words.size() - 2] != "--device") {
    for (const char* option : {"--device", "--json", "--reset"}) offer(option, begun);
    for (const std::string& id : tunable_filters(Form::gpu)) offer(id, begun);
    return 0;
  }
  const bool batch = command == "batch";
  if (batch && words.size() == 2) {
    for (const std::string& id : Registry::get().ids()) offer(id, begun);
    offer_presets(begun);
  }
  const RegisteredFilter* filter = Registry::get().find(names_filter || batch ? words[1] : command);
  const ParameterSet* set = filter != nullptr ? &filter->filter->info().parameters : nullptr;
  const std::string& before = words[words.size() - 2];
  if (before.rfind("--", 0) == 0 && offer_values(set, before, begun)) return 0;
  if (begun.rfind('-', 0) != 0) return 0;      // files: the shell's own business
  const bool compares = command == "compare";  // several methods at once
  if (compares) offer("--methods", begun);
  if (batch) {
    for (const OptionHelp& o : batch_option_help()) offer(o.name, begun);
  }
  if (set != nullptr) {
    for (const Parameter& p : *set) {
      if (!compares || p.name != "method") offer(option_name(p.name), begun);
    }
  }
  const CommandInfo* info = find_command(command);
  if (info != nullptr) {
    for (const std::string& option : info->options) offer(option, begun);
  } else {
    for (const OptionHelp& o : common_option_help()) offer(o.name, begun);
  }
  return 0;
}

}  // namespace sfumato::cli
