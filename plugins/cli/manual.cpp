// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Manual pages in the format of man(7).
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>

#include "filters/registry.hpp"
#include "page.hpp"
#include "params/suggest.hpp"

namespace sfumato::cli {
namespace {

constexpr std::size_t longest_line = 78;

// Escapes characters that are special to the formatter, and keeps hyphens of options as the ASCII
// characters that people copy.
std::string escaped(const std::string& word, bool literal) {
  std::string out;
  for (const char c : word) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += literal ? "\\-" : "-";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string literal(const std::string& text) {
  return escaped(text, true);
}

bool is_option(const std::string& word) {
  const std::size_t begin = word.find_first_not_of("([\"'");
  return begin != std::string::npos && word[begin] == '-' && word.size() > begin + 1;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// "Blurs by ..." as the description after a name: no capital, no full stop.
std::string explanation(std::string summary) {
  if (summary.size() > 1 && std::islower(static_cast<unsigned char>(summary[1])) != 0) {
    summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
  }
  if (summary.ends_with('.')) summary.pop_back();
  return summary;
}

class Writer {
 public:
  void macro(const std::string& line) { text_ += line + '\n'; }

  // Words between back-ticks are bold; lines break between words. `line` is the text before them.
  void paragraph(const std::string& text, std::string line = {}) {
    bool bold = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      std::string word = text.substr(at, end - at), made;
      const bool as_it_is = is_option(word);
      for (std::size_t i = 0; i <= word.size();) {
        const std::size_t tick = std::min(word.find('`', i), word.size());
        made += escaped(word.substr(i, tick - i), as_it_is || bold);
        if (tick < word.size()) made += (bold = !bold) ? "\\fB" : "\\fR";
        i = tick + 1;
      }
      if (!line.empty() && line.size() + 1 + made.size() > longest_line) flush(line);
      line += (line.empty() ? "" : " ") + made;
      at = end + 1;
    }
    flush(line);
  }

  void as_they_are(const std::vector<std::string>& lines) {
    macro(".nf");
    for (const std::string& line : lines) macro(guarded(literal(line)));
    macro(".fi");
  }

  void entry(const Entry& e) {
    macro(".TP");
    std::string argument;
    if (!e.argument.empty()) argument = " \\fI" + literal(e.argument) + "\\fR";
    std::string term;
    if (!e.brief.empty()) term = "\\fB" + literal(e.brief) + "\\fR" + argument + ", ";
    macro(term + "\\fB" + literal(e.term) + "\\fR" + argument);
    paragraph(e.text);
    if (e.choices.empty()) return;
    macro(".RS");
    for (const auto& [id, text] : e.choices) entry({.term = id, .text = text});
    macro(".RE");
  }

  const std::string& text() const { return text_; }

 private:
  // Escapes a line that would begin as a formatter request.
  static std::string guarded(const std::string& line) {
    return line.starts_with('.') || line.starts_with("\\(aq") ? "\\&" + line : line;
  }
  void flush(std::string& line) {
    if (!line.empty()) macro(guarded(line));
    line.clear();
  }

  std::string text_;
};

void write_section(Writer& writer, const Section& section) {
  writer.macro(".SH " + (section.title.empty() ? "DESCRIPTION" : upper(section.title)));
  bool first = true;
  for (const std::string& text : section.paragraphs) {
    if (!first) writer.macro(".PP");
    writer.paragraph(text);
    first = false;
  }
  if (!section.lines.empty()) {
    if (!first) writer.macro(".PP");
    writer.as_they_are(section.lines);
  }
  for (const Entry& entry : section.entries) writer.entry(entry);
  for (const std::string& text : section.closing) {
    writer.macro(".PP");
    writer.paragraph(text);
  }
}

// Every page of section 1, by name.
std::vector<Page> all_pages() {
  std::vector<Page> pages{program_page()};
  for (const RegisteredFilter& f : Registry::get().all()) pages.push_back(filter_page(*f.filter));
  for (const CommandInfo& c : all_commands()) pages.push_back(command_page(c));
  return pages;
}

// Pages that belong together refer to each other.
std::vector<std::string> related(const Page& page) {
  std::vector<std::string> all{"sfumato-editor(1)"};
  for (const std::string& name : page.related) all.push_back(name + "(1)");
  if (page.name != "sfumato") {
    all.emplace_back("sfumato(1)");
  } else {
    for (const Page& other : all_pages()) {
      if (other.name != page.name) all.push_back(other.name + "(1)");
    }
  }
  std::sort(all.begin(), all.end());
  all.emplace_back("sfumato-recipe(5)");
  return all;
}

// Aliases with the filters' listed names, which lead to the pages with hyphens.
std::map<std::string, std::string> page_links() {
  std::map<std::string, std::string> all;
  for (const RegisteredFilter& f : Registry::get().all()) {
    const std::string& id = f.filter->info().id;
    if (id.find('_') != std::string::npos) all["sfumato-" + id] = page_name(id);
  }
  return all;
}

bool is_day(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return std::count_if(text.begin(), text.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; }) == 8;
}

}  // namespace

std::string manual_text(const Page& page, const std::string& date) {
  Writer writer;
  writer.macro(".\\\" Written by sfumato from its own declarations.");
  writer.macro(".TH " + upper(page.name) + " 1 " + date +
               " \"Sfumato " SFUMATO_VERSION "\" \"User Commands\"");
  writer.macro(".SH NAME");
  writer.paragraph(explanation(page.summary), literal(page.name) + " \\-");
  writer.macro(".SH SYNOPSIS");
  const char* between = "";
  for (const std::string& usage : page.usages) {
    if (*between != '\0') writer.macro(between);
    // Literal words first, then placeholders.
    const std::size_t first = std::min(usage.find(' '), usage.size());
    const std::size_t second = std::min(usage.find(' ', first + 1), usage.size());
    const bool named = std::islower(static_cast<unsigned char>(usage[first + 1])) != 0;
    const std::size_t bold = named ? second : first;
    writer.macro("\\fB" + literal(usage.substr(0, bold)) + "\\fR" + literal(usage.substr(bold)));
    between = ".br";
  }
  for (const Section& section : page.sections) write_section(writer, section);
  writer.macro(".SH SEE ALSO");
  const std::vector<std::string> others = related(page);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::size_t bracket = others[i].find('(');
    writer.macro(".BR " + literal(others[i].substr(0, bracket)) + " " + others[i].substr(bracket) +
                 (i + 1 < others.size() ? "," : ""));
  }
  return writer.text();
}

int run_manual(const Arguments& arguments) {
  if (arguments == Arguments{"--list"}) {
    for (const Page& page : all_pages()) std::printf("%s.1\n", page.name.c_str());
    for (const auto& [name, page] : page_links()) std::printf("%s.1\n", name.c_str());
    return 0;
  }
  if (arguments.size() != 2 || !is_day(arguments[1])) {
    throw UsageError(
        message({"usage.manual",
                 "--manual takes --list, or a page's name and a day: sfumato.1 2026-11-25"}));
  }
  for (const auto& [name, page] : page_links()) {
    if (name + ".1" != arguments[0]) continue;
    std::printf(".so man1/%s.1\n", page.c_str());
    return 0;
  }
  for (const Page& page : all_pages()) {
    if (page.name + ".1" != arguments[0]) continue;
    std::fputs(manual_text(page, arguments[1]).c_str(), stdout);
    return 0;
  }
  throw UsageError(
      message({"usage.no_page", "there is no manual page {name}"}, in_quotes(arguments[0])));
}

}  // namespace sfumato::cli
