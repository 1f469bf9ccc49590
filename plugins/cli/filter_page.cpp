// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The help page of a filter, from its declaration.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "engine/presets.hpp"
#include "filters/describe.hpp"
#include "filters/registry.hpp"
#include "options.hpp"
#include "page.hpp"
#include "params/errors.hpp"
#include "params/text.hpp"

namespace sfumato::cli {
namespace {

// The notation of the longer kinds.
std::string notation_of(const Parameter& p) {
  switch (p.kind) {
    case Kind::gradient:
      return " Positions with colours, such as \"0 #000000; 1 #ffffff\".";
    case Kind::curve:
      return " Points with rising x, such as \"0 0; 0.5 0.6; 1 1\".";
    case Kind::matrix: {
      const std::string most = std::to_string(std::max(p.max_rows, p.max_columns));
      const std::string odd = p.odd_only ? ", an odd number of them" : "";
      const std::string file =
          " Or @FILE, a text or CSV file with a row on each line, or a picture.";
      if (p.max_rows == 1 || p.max_columns == 1) {
        return " For example \"1 2 1\"" + odd + ", at most " + most + "." + file;
      }
      return " Row after row, such as \"0 -1 0; -1 5 -1; 0 -1 0\"; both sides " +
             (p.odd_only ? "odd and " : std::string()) + "at most " + most + "." + file;
    }
    default:
      return "";
  }
}

Entry entry_of(const FilterInfo& info, const Parameter& p) {
  Entry entry{.term = option_name(p.name), .argument = argument_of(p), .text = p.help};
  if (p.kind == Kind::real || p.kind == Kind::integer) {
    entry.text +=
        " " + print_range(p.valid, p.unit) + ", default " + print(p, p.default_value) + ".";
  } else if (p.kind != Kind::choice && p.kind != Kind::image) {
    entry.text += notation_of(p) + " Default " + print(p, p.default_value) + ".";
  }
  const RoleInfo* role = info.role(p.name);
  if (role != nullptr && role->required) entry.text += " Required.";
  if (!p.visible_if.empty()) entry.text += " Only when " + p.visible_if.text() + ".";
  for (const ChoiceOption& c : p.choices) {
    const bool is_default = Value(Choice(c.id)) == p.default_value;
    entry.choices.emplace_back(
        c.id, (c.help.empty() ? c.label : c.help) + (is_default ? " (default)" : ""));
  }
  return entry;
}

const char* preview_text(PreviewClass preview) {
  switch (preview) {
    case PreviewClass::exact:
      return "exact at every zoom";
    case PreviewClass::approximate:
      return "approximate where the picture is scaled down";
    case PreviewClass::full_scale_only:
      return "true at 1:1 only";
  }
  return "";
}

std::string light_text(const FilterInfo& info) {
  std::string text =
      "Works in " + std::string(name_of(info.light)) + " light unless --light says otherwise, on ";
  text += info.alpha == AlphaPreference::premultiplied ? "colours weighted by their opacity."
                                                       : "colours regardless of their opacity.";
  const Parameter* border = info.parameters.find("border");
  if (border == nullptr) return text + " Pixels outside the picture have no influence.";
  return text + " What lies outside the picture follows --border, by default " +
         print(*border, border->default_value) + ".";
}

bool is_common(const Parameter& p) {
  return p.name == "border" || p.name == "light" || p.name == "mask" || p.name == "mix";
}

// A word quoted for the shell.
std::string quoted(const std::string& word) {
  const bool plain = word.find_first_of(" ;#|&'*?") == std::string::npos;
  return plain ? word : '"' + word + '"';
}

std::string as_options(const FilterInfo& info, const Values& values) {
  std::string text;
  for (const Parameter& p : info.parameters) {
    const Value* value = values.find(p.name);
    if (value == nullptr || *value == p.default_value) continue;
    text += (text.empty() ? "" : " ") + option_name(p.name) + " " + quoted(print(p, *value));
  }
  return text;
}

// Few digits, for an example.
double rounded(const Parameter& p, double value) {
  if (p.kind == Kind::integer) return std::round(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.1g", value);
  double short_value = value;
  return parse_number(text, short_value) ? std::clamp(short_value, p.valid.min, p.valid.max)
                                         : value;
}

std::optional<Value> another_value(const Parameter& p, double position) {
  if (p.kind == Kind::real || p.kind == Kind::integer) {
    const Value value = coerce(p, rounded(p, value_at(p, position)));
    if (value != p.default_value) return value;
  }
  if (p.kind == Kind::choice && p.choices.size() > 1) return Value(Choice(p.choices[1].id));
  if (p.kind == Kind::curve) return parse(p, "0 0; 0.5 0.6; 1 1");
  if (p.kind == Kind::gradient) return parse(p, "0 #10204a; 1 #ffe8b0");
  return std::nullopt;
}

// nullopt if the filter accepts the values, else the parameter it rejects.
std::optional<std::string> refused(const Filter& filter, const Values& values) {
  try {
    filter.check(complete(filter.info().parameters, values));
  } catch (const ParameterError& e) {
    return e.parameter();
  }
  return std::nullopt;
}

// The pictures that the filter requires, under descriptive names.
Values needed_pictures(const Filter& filter) {
  Values values;
  const FilterInfo& info = filter.info();
  const auto bind = [&](const RoleInfo& role) {
    values.set(role.parameter, ImageRef{role.parameter + (role.data ? ".exr" : ".png"), {}});
  };
  for (const RoleInfo& role : info.roles) {
    if (role.required) bind(role);
  }
  if (const auto complaint = refused(filter, values)) {
    if (const RoleInfo* role = info.role(*complaint)) bind(*role);
  }
  return values;
}

// A built-in preset with this filter only: values that somebody chose.
std::optional<Values> preset_values(const Filter& filter) {
  const FilterInfo& info = filter.info();
  const Presets presets{std::filesystem::path()};
  for (const Preset& preset : presets.all()) {
    const Recipe recipe = preset.recipe();
    if (recipe.steps.size() != 1 || recipe.steps[0].filter != info.id) continue;
    const std::string text = as_options(info, recipe.steps[0].values);
    if (!text.empty() && text.size() < 60) return recipe.steps[0].values;
  }
  return std::nullopt;
}

}  // namespace

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

std::string page_name(std::string id) {
  std::replace(id.begin(), id.end(), '_', '-');
  return "sfumato-" + id;
}

std::string example_arguments(const Filter& filter) {
  const FilterInfo& info = filter.info();
  Values values = needed_pictures(filter);
  if (const auto chosen = preset_values(filter)) {
    for (const Parameter& p : info.parameters) {
      if (const Value* value = chosen->find(p.name); value != nullptr && p.kind != Kind::image) {
        values.set(p.name, *value);
      }
    }
    return as_options(info, values);
  }
  const Values defaults = complete(info.parameters, values);
  for (const double position : {0.3, 0.6}) {
    for (const Parameter& p : info.parameters) {
      if (is_common(p) || !p.visible_if.evaluate(defaults)) continue;
      const auto other = another_value(p, position);
      if (!other) continue;
      Values tried = values;
      tried.set(p.name, *other);
      if (refused(filter, tried) || filter.neutral(complete(info.parameters, tried))) continue;
      return as_options(info, tried);
    }
  }
  return as_options(info, values);
}

Page filter_page(const Filter& filter) {
  const FilterInfo& info = filter.info();
  Page page{.name = page_name(info.id),
            .heading = info.id + " - " + info.label,
            .summary = info.summary,
            .usages = {"sfumato " + info.id + " INPUT OUTPUT [options]"}};
  page.sections.push_back({.title = "", .paragraphs = {info.description}});
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < info.formula.size();) {
    const std::size_t end = std::min(info.formula.find('\n', at), info.formula.size());
    lines.push_back(info.formula.substr(at, end - at));
    at = end + 1;
  }
  page.sections.push_back(
      {.title = "Formula",
       .paragraphs = {"I is the input, p and q are pixels, other words are parameters."},
       .lines = std::move(lines)});
  Section parameters{.title = "Parameters"};
  for (const Parameter& p : info.parameters) parameters.entries.push_back(entry_of(info, p));
  page.sections.push_back(std::move(parameters));
  Section options{.title = "Options"};
  for (const OptionHelp& o : common_option_help()) options.entries.push_back(option_entry(o));
  page.sections.push_back(std::move(options));
  page.sections.push_back({.title = "Preview",
                           .paragraphs = {"The preview in windows is " +
                                          std::string(preview_text(info.preview)) + "."}});
  page.sections.push_back({.title = "Light and border", .paragraphs = {light_text(info)}});
  const std::string arguments = example_arguments(filter);
  page.sections.push_back({.title = "Example",
                           .lines = {"sfumato " + info.id + " photo.jpg result.png" +
                                     (arguments.empty() ? "" : " ") + arguments}});
  page.sections.push_back({.title = "Source", .paragraphs = {info.source + "."}});
  for (const RegisteredFilter& f : Registry::get().all()) {
    const FilterInfo& other = f.filter->info();
    if (other.category == info.category && other.id != info.id) {
      page.related.push_back(page_name(other.id));
    }
  }
  page.related.push_back(page_name("batch"));
  return page;
}

}  // namespace sfumato::cli
