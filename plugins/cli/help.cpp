// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Help on the terminal.
#include <cstdio>

#include "commands.hpp"
#include "filters/registry.hpp"
#include "page.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

constexpr int column = 26;

void print_entry(const Entry& entry) {
  const int width = text_width();
  const std::string argument = (entry.argument.empty() ? "" : " ") + entry.argument;
  std::string line = "  ";
  if (!entry.brief.empty()) line += entry.brief + argument + ", ";
  line += entry.term + argument;
  if (static_cast<int>(line.size()) > column - 2) {
    std::printf("%s\n%*s", line.c_str(), column, "");
  } else {
    std::printf("%-*s", column, line.c_str());
  }
  std::printf("%s\n", wrapped(entry.text, width, column).c_str());
  for (const auto& [id, text] : entry.choices) {
    std::printf("%*s%-14s %s\n", column, "", id.c_str(), wrapped(text, width, column + 15).c_str());
  }
}

void print_section(const Section& section) {
  const int width = text_width();
  const auto indent = static_cast<int>(section.title.size()) + 2;
  const bool titled = !section.title.empty();
  if (titled && !section.paragraphs.empty()) {
    std::printf("%s: %s\n", section.title.c_str(),
                wrapped(section.paragraphs[0], width, indent).c_str());
  } else {
    for (const std::string& text : section.paragraphs) {
      std::printf("%s\n", wrapped(text, width, 0).c_str());
    }
    if (titled) std::printf("%s:\n", section.title.c_str());
  }
  for (const std::string& line : section.lines) std::printf("  %s\n", line.c_str());
  for (const Entry& entry : section.entries) print_entry(entry);
  for (const std::string& text : section.closing) {
    std::printf("%s\n", wrapped(text, width, 0).c_str());
  }
}

}  // namespace

void print_page(const Page& page) {
  if (!page.heading.empty()) std::printf("%s\n\n", page.heading.c_str());
  if (!page.summary.empty() && page.heading.find(page.summary) == std::string::npos &&
      !page.heading.empty()) {
    std::printf("%s\n\n", wrapped(page.summary, text_width(), 0).c_str());
  }
  const char* before = "Usage: ";
  for (const std::string& usage : page.usages) {
    std::printf("%s%s\n", before, wrapped(usage, text_width(), 7).c_str());
    before = "       ";
  }
  for (const Section& section : page.sections) {
    if (section.manual_only) continue;
    std::puts("");
    print_section(section);
  }
}

int run_help(const Arguments& arguments) {
  if (arguments.size() > 1) {
    throw UsageError(
        message({"usage.help", "`sfumato help` takes one filter or command, not also {word}"},
                in_quotes(arguments[1])));
  }
  if (arguments.empty()) {
    print_page(program_page());
  } else if (const CommandInfo* command = find_command(arguments[0])) {
    print_page(command_page(*command));
  } else {
    print_page(filter_page(*Registry::get().at(arguments[0]).filter));
  }
  return 0;
}

}  // namespace sfumato::cli
