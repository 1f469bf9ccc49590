// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The description of a filter, a command or the program: made once from the model, printed as help
// on the terminal and as a manual page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "filters/filter.hpp"

namespace sfumato::cli {

/// An option or a name with its description. Commands in texts are quoted with back-ticks.
struct Entry {
  std::string term;           ///< "--sigma"
  std::string argument = {};  ///< "PX"
  std::string brief = {};     ///< the term's short form, "-o"
  std::string text = {};
  /// A choice's values and their descriptions.
  std::vector<std::pair<std::string, std::string>> choices = {};
};

struct Section {
  std::string title;  ///< "Options"; empty: the description
  std::vector<std::string> paragraphs = {};
  std::vector<std::string> lines = {};  ///< printed verbatim: formulas, examples
  std::vector<Entry> entries = {};
  std::vector<std::string> closing = {};  ///< paragraphs after the entries
  bool manual_only = false;
};

struct Page {
  std::string name;          ///< of the manual page, "sfumato-gaussian"
  std::string heading = {};  ///< of the help, "gaussian - Gaussian blur"; may be empty
  std::string summary;       ///< a sentence or a few words
  std::vector<std::string> usages;
  std::vector<Section> sections = {};
  std::vector<std::string> related = {};  ///< names of other pages of section 1
};

Page filter_page(const Filter& filter);
Page command_page(const CommandInfo& command);
Page program_page();

/// Arguments of a command that demonstrates the filter: "--sigma 12". Values differ from the
/// defaults, taken from a preset if there is one, with file names for required roles.
std::string example_arguments(const Filter& filter);

/// The manual page's name of a filter or command: "sfumato-geometry-blur".
std::string page_name(std::string id);

/// The placeholder of a number or another parameter: "PX", "FILE".
std::string argument_of(const Parameter& parameter);

Entry option_entry(const OptionHelp& option);

void print_page(const Page& page);
/// The page for man(1), dated `date`, such as 2026-11-25.
std::string manual_text(const Page& page, const std::string& date);

}  // namespace sfumato::cli
