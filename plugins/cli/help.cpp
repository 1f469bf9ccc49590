// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Help, written from the parameter model.
#include <algorithm>
#include <cstdio>
#include <map>

#include "batch_options.hpp"
#include "commands.hpp"
#include "filters/describe.hpp"
#include "filters/registry.hpp"
#include "options.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

constexpr int column = 26;

void print_entry(const std::string& left, const std::string& right) {
  const int width = text_width();
  std::string line = "  " + left;
  if (static_cast<int>(line.size()) > column - 2) {
    std::printf("%s\n%*s", line.c_str(), column, "");
  } else {
    std::printf("%-*s", column, line.c_str());
  }
  std::printf("%s\n", wrapped(right, width, column).c_str());
}

void print_paragraph(const std::string& text) {
  std::printf("%s\n\n", wrapped(text, text_width(), 0).c_str());
}

std::string argument_of(const Parameter& p) {
  switch (p.kind) {
    case Kind::real:
    case Kind::integer:
      return p.unit == Unit::px ? "PX" : p.unit == Unit::degrees ? "DEGREES" : "N";
    case Kind::boolean:
      return "yes|no";
    case Kind::choice:
      return "NAME";
    case Kind::color:
      return "COLOUR";
    case Kind::image:
      return "FILE";
    case Kind::gradient:
    case Kind::curve:
    case Kind::matrix:
      return "\"...\"";
  }
  return "VALUE";
}

// How the longer kinds are written.
std::string notation_of(const Parameter& p) {
  switch (p.kind) {
    case Kind::gradient:
      return " Positions with colours, as \"0 #000000; 1 #ffffff\".";
    case Kind::curve:
      return " Points whose x rises, as \"0 0; 0.5 0.6; 1 1\".";
    case Kind::matrix: {
      const std::string most = std::to_string(std::max(p.max_rows, p.max_columns));
      const std::string odd = p.odd_only ? ", an odd number of them" : "";
      if (p.max_rows == 1 || p.max_columns == 1) {
        return " As \"1 2 1\"" + odd + ", at most " + most + ".";
      }
      return " Row after row, as \"0 -1 0; -1 5 -1; 0 -1 0\"; both sides " +
             (p.odd_only ? "odd and " : std::string()) + "at most " + most + ".";
    }
    default:
      return "";
  }
}

void print_parameter(const Parameter& p) {
  std::string text = p.help;
  if (p.kind == Kind::real || p.kind == Kind::integer) {
    text += std::string(" ") + print_range(p.valid, p.unit) + ", default " +
            print(p, p.default_value) + ".";
  } else if (p.kind != Kind::choice && p.kind != Kind::image) {
    text += notation_of(p) + " Default " + print(p, p.default_value) + ".";
  }
  if (!p.visible_if.empty()) text += " Only when " + p.visible_if.text() + ".";
  print_entry(option_name(p.name) + " " + argument_of(p), text);
  if (p.kind != Kind::choice) return;
  for (const ChoiceOption& c : p.choices) {
    const bool is_default = Value(Choice(c.id)) == p.default_value;
    const std::string help = (c.help.empty() ? c.label : c.help) + (is_default ? " (default)" : "");
    std::printf("%*s%-14s %s\n", column, "", c.id.c_str(),
                wrapped(help, text_width(), column + 15).c_str());
  }
}

void print_option(const OptionHelp& o) {
  print_entry(std::string(o.name) + (o.argument[0] != '\0' ? " " : "") + o.argument, o.help);
}

const char* preview_text(PreviewClass preview) {
  switch (preview) {
    case PreviewClass::exact:
      return "exact at every zoom";
    case PreviewClass::approximate:
      return "approximate where the picture is shown smaller";
    case PreviewClass::full_scale_only:
      return "true at 1:1 only";
  }
  return "";
}

int print_filter(const FilterInfo& info) {
  std::printf("%s - %s\n\n", info.id.c_str(), info.label.c_str());
  print_paragraph(info.summary);
  std::printf("Usage: sfumato %s INPUT OUTPUT [options]\n\n", info.id.c_str());
  print_paragraph(info.description);
  std::puts("Parameters:");
  for (const Parameter& p : info.parameters) print_parameter(p);
  std::puts("\nOptions:");
  for (const OptionHelp& o : common_option_help()) print_option(o);
  std::printf("\nPreview: %s. Works in %s light unless --light says otherwise.\n",
              preview_text(info.preview), std::string(name_of(info.light)).c_str());
  std::printf("Source: %s\n", wrapped(info.source, text_width(), 8).c_str());
  return 0;
}

int print_command(const CommandInfo& command) {
  std::printf("Usage: %s\n\n", wrapped(command.usage, text_width(), 7).c_str());
  std::printf("%s\n", wrapped(command.text, text_width(), 0).c_str());
  if (command.options.empty()) return 0;
  std::puts("\nOptions:");
  if (command.name == "batch") {
    for (const OptionHelp& o : batch_option_help()) print_option(o);
    std::puts("");
  }
  for (const OptionHelp& o : common_option_help()) {
    if (std::find(command.options.begin(), command.options.end(), o.name) !=
        command.options.end()) {
      print_option(o);
    }
  }
  return 0;
}

}  // namespace

int run_help(const Arguments& arguments) {
  if (arguments.size() > 1) {
    throw UsageError("`sfumato help` takes one filter or command, not also " +
                     in_quotes(arguments[1]));
  }
  if (!arguments.empty()) {
    if (const CommandInfo* command = find_command(arguments[0])) return print_command(*command);
    return print_filter(Registry::get().at(arguments[0]).filter->info());
  }
  std::puts(
      "sfumato - filters for photographs and renders, the same pixels everywhere\n\n"
      "Usage:\n"
      "  sfumato FILTER INPUT OUTPUT [--PARAMETER VALUE ...]   filter a picture\n"
      "  sfumato apply RECIPE.json|PRESET INPUT OUTPUT         run a recipe or a preset\n"
      "  sfumato batch FILTER|RECIPE|PRESET -o DIR FILES...    many files, safely\n"
      "  sfumato recipe FILTER [--PARAMETER VALUE ...]         print a recipe\n"
      "  sfumato compare FILTER INPUT SHEET.png [--methods A,B]  the methods of a filter, side by "
      "side\n"
      "  sfumato filters [--json]                              list the filters\n"
      "  sfumato presets [--json | PRESET]                     list the presets, or print one\n"
      "  sfumato help FILTER                                   all about one filter\n"
      "  sfumato devices [--json]                              list the OpenCL devices\n"
      "  sfumato tune [FILTER...]                              find a device's fastest sizes\n\n"
      "Filters:");
  for (const RegisteredFilter& f : Registry::get().all()) {
    print_entry(f.filter->info().id, f.filter->info().summary);
  }
  std::puts("\nExample:\n  sfumato gaussian photo.jpg soft.png --sigma 8");
  return 0;
}

}  // namespace sfumato::cli
