// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What there is to say of a filter, a command or the program: made once from the model, printed as
// help on the terminal and as a manual page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "filters/filter.hpp"

namespace sfumato::cli {

/// An option or a name, and what it means. Commands in texts stand between back-ticks.
struct Entry {
  std::string term;           ///< "--sigma"
  std::string argument = {};  ///< "PX"
  std::string brief = {};     ///< the term's short form, "-o"
  std::string text = {};
  /// A choice's values with their meaning.
  std::vector<std::pair<std::string, std::string>> choices = {};
};

struct Section {
  std::string title;  ///< "Options"; empty: the description
  std::vector<std::string> paragraphs = {};
  std::vector<std::string> lines = {};  ///< printed as they are: formulas, examples
  std::vector<Entry> entries = {};
  std::vector<std::string> closing = {};  ///< paragraphs behind the entries
  bool manual_only = false;
};

struct Page {
  std::string name;          ///< the manual's, "sfumato-gaussian"
  std::string heading = {};  ///< of the help, "gaussian - Gaussian blur"; may be empty
  std::string summary;       ///< a sentence or a few words
  std::vector<std::string> usages;
  std::vector<Section> sections = {};
  std::vector<std::string> related = {};  ///< names of other pages of section 1
};

Page filter_page(const Filter& filter);
Page command_page(const CommandInfo& command);
Page program_page();

/// As the arguments of a command that shows what the filter does: "--sigma 12". Other values than
/// the defaults, from a preset where there is one, and names of pictures for roles that it needs.
std::string example_arguments(const Filter& filter);

/// The manual's name of a filter or command: "sfumato-geometry-blur".
std::string page_name(std::string id);

/// A number's or another parameter's argument: "PX", "FILE".
std::string argument_of(const Parameter& parameter);

Entry option_entry(const OptionHelp& option);

void print_page(const Page& page);
/// The page for man(1), as of a day written as 2026-11-25.
std::string manual_text(const Page& page, const std::string& date);

}  // namespace sfumato::cli
