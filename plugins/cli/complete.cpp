// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Shell completions from the parameter model; the shell scripts call this program.
#include <algorithm>
#include <string_view>

#include "batch/inputs.hpp"
#include "commands.hpp"
#include "engine/tuner.hpp"
#include "filters/registry.hpp"
#include "option_values.hpp"
#include "options.hpp"

namespace sfumato::cli {
namespace {

void offer_commands(const CompletionWriter& offers) {
  for (const CommandInfo& c : all_commands()) offers.word(c.name, c.summary);
}

void offer_options(const CompletionWriter& offers, const std::vector<OptionHelp>& options) {
  for (const OptionHelp& o : options) offers.word(o.name, o.help);
}

// An incomplete command line.
struct Line {
  std::string command;
  std::vector<std::string> before;  ///< complete words after the command
  const CommandInfo* info = nullptr;
  const ParameterSet* set = nullptr;

  bool is(const char* name) const { return command == name; }
  std::vector<OptionHelp> own() const {
    return info != nullptr ? info->own : std::vector<OptionHelp>();
  }
  bool behind_dashes() const {
    return std::find(before.begin(), before.end(), "--") != before.end();
  }
  // Words that are neither options nor their values.
  std::size_t positional() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!before[i].starts_with('-')) {
        ++count;
      } else if (before[i].find('=') == std::string::npos && takes_value(before[i], set, own())) {
        ++i;
      }
    }
    return count;
  }
};

Line read_line(const std::vector<std::string>& words) {
  Line line{.command = words[0], .before = {words.begin() + 1, words.end() - 1}};
  line.info = find_command(line.command);
  std::string filter = line.command;
  if (line.info != nullptr) filter = line.before.empty() ? "" : line.before[0];
  if (const RegisteredFilter* found = Registry::get().find(filter)) {
    line.set = &found->filter->info().parameters;
  }
  return line;
}

// Completes the word after the command unless it is a file; false if it may be one.
bool offer_first_word(const Line& line, const CompletionWriter& offers) {
  if (line.is("help")) offer_commands(offers);
  if (line.is("help") || line.is("recipe") || line.is("compare")) {
    offer_filters(offers);
    return true;
  }
  if (line.is("presets")) {
    complete_presets(offers);
    offer_options(offers, line.own());
    return true;
  }
  if (line.is("batch")) offer_filters(offers);
  if (line.is("apply") || line.is("batch")) {
    complete_presets(offers);
    offers.files({"json"});
    return true;
  }
  return false;
}

void offer_all_options(const Line& line, const CompletionWriter& offers) {
  const std::vector<OptionHelp> own = line.own();
  offer_options(offers, own);
  if (line.set != nullptr) {
    for (const Parameter& p : *line.set) {
      // No single method applies to several methods at once.
      if (!line.is("compare") || p.name != "method") offers.word(option_name(p.name), p.help);
    }
  }
  for (const OptionHelp& o : common_option_help()) {
    const bool taken = line.info == nullptr ||
                       std::find(line.info->options.begin(), line.info->options.end(), o.name) !=
                           line.info->options.end();
    const bool listed = std::any_of(own.begin(), own.end(), [&](const OptionHelp& other) {
      return std::string_view(other.name) == o.name;
    });
    if (taken && !listed) offers.word(o.name, o.help);
  }
}

void offer_files(const Line& line, const CompletionWriter& offers) {
  if (line.is("tune")) {
    for (const std::string& id : tunable_filters(Form::gpu)) {
      offers.word(id, Registry::get().at(id).filter->info().summary);
    }
    return offer_all_options(line, offers);
  }
  if (line.is("recipe")) return offer_all_options(line, offers);
  const bool takes_none =
      line.is("help") || line.is("devices") || line.is("filters") || line.is("presets");
  if (takes_none) {
    if (line.before.empty()) offer_options(offers, line.own());
    return;
  }
  std::set<std::string> extensions = picture_extensions();
  if (line.is("batch")) {
    extensions.insert(movie_extensions().begin(), movie_extensions().end());
  } else if (line.positional() >= (line.info != nullptr ? 3u : 2u)) {
    return;  // both input and output are given
  }
  offers.files(extensions);
}

}  // namespace

int run_complete(const Arguments& given, bool described) {
  if (given.empty()) return 0;
  // Bash splits "--border=mi" into three words.
  Arguments words = given;
  if (words.back() == "=") words.emplace_back();
  if (words.size() > 2 && words[words.size() - 2] == "=") words.erase(words.end() - 2);
  CompletionWriter offers(words.back(), described);
  if (words.size() == 1) {
    offer_filters(offers);
    offer_commands(offers);
    offers.word("--help", "list filters and commands");
    offers.word("--version", "print the version, the commit and the libraries");
    return 0;
  }
  const Line line = read_line(words);
  if (line.behind_dashes()) {
    offer_files(line, offers);
    return 0;
  }
  // Other shells pass "--border=mi" as one word.
  const std::string& partial = words.back();
  const std::size_t equals = partial.find('=');
  if (partial.starts_with("--") && equals != std::string::npos) {
    const std::string option = partial.substr(0, equals);
    offers.cut_option(option);
    offer_values(offers, option, line.set, line.own());
    return 0;
  }
  if (!line.before.empty() && line.before.back().starts_with('-') &&
      offer_values(offers, line.before.back(), line.set, line.own())) {
    return 0;
  }
  if (partial.starts_with('-')) {
    offer_all_options(line, offers);
    return 0;
  }
  if (line.before.empty() && offer_first_word(line, offers)) return 0;
  offer_files(line, offers);
  return 0;
}

}  // namespace sfumato::cli
