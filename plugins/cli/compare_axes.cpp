// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare_axes.hpp"

#include <algorithm>
#include <charconv>

#include "filters/registry.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"
#include "recipe_word.hpp"

namespace sfumato::cli {
namespace {

// Which parameter of which step a word names.
struct Place {
  std::size_t step = 0;
  const Parameter* parameter = nullptr;
};

// The step's number before the point, if there is one; 0: none.
std::size_t step_in(const std::string& name, std::size_t point, std::size_t steps) {
  if (point == std::string::npos) return 0;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + point, number);
  if (error != std::errc() || end != name.data() + point || number < 1 || number > steps) {
    throw UsageError(message({"usage.no_step", "{name} names no step; the recipe has {steps}"},
                             in_quotes(name), steps));
  }
  return number;
}

Place place_of(const Recipe& recipe, const std::string& name) {
  const std::size_t point = name.find('.');
  std::string wanted = name.substr(point == std::string::npos ? 0 : point + 1);
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  const std::size_t number = step_in(name, point, recipe.steps.size());
  std::vector<Place> places;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    if (number != 0 && i + 1 != number) continue;
    const ParameterSet& set = Registry::get().at(recipe.steps[i].filter).filter->info().parameters;
    for (const Parameter& p : set) known.push_back(p.name);
    if (const Parameter* found = set.find(wanted)) places.push_back({i, found});
  }
  if (places.size() == 1) return places.front();
  if (places.size() > 1) {
    throw UsageError(message(
        {"usage.which_step",
         "several steps have a parameter {name}; put the step's number before it: {word}"},
        in_quotes(wanted), in_quotes(std::to_string(places.front().step + 1) + "." + wanted)));
  }
  const std::string nearest = nearest_name(wanted, known);
  throw UsageError(
      nearest.empty()
          ? message({"usage.no_parameter", "there is no parameter {name} to vary"}, in_quotes(name))
          : message({"usage.no_parameter_but",
                     "there is no parameter {name} to vary; did you mean {nearest}?"},
                    in_quotes(name), in_quotes(nearest)));
}

}  // namespace

std::vector<std::string> parts_of(const std::string& option, const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  if (parts.empty()) {
    throw UsageError(
        message({"usage.list", "{option} takes values separated by commas, not {value}"}, option,
                in_quotes(list)));
  }
  return parts;
}

Axis varied_axis(const Recipe& recipe, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(message(
        {"usage.vary", "--vary takes a parameter and its values, such as sigma=2,8, not {word}"},
        in_quotes(word)));
  }
  const std::string name = word.substr(0, equals);
  const Place place = place_of(recipe, name);
  std::vector<Value> values;
  for (const std::string& text : parts_of("--vary", word.substr(equals + 1))) {
    values.push_back(parse(*place.parameter, text));
  }
  return value_axis(place.step, *place.parameter, name, values);
}

Axis method_axis(const FilterInfo& info, const std::optional<std::vector<std::string>>& wanted) {
  const Parameter* method = info.parameters.find("method");
  if (method == nullptr || method->choices.size() < 2) {
    throw UsageError(message(
        {"usage.single_method", "{filter} has a single method: there is nothing to compare"},
        info.id));
  }
  std::vector<std::string> known;
  for (const ChoiceOption& c : method->choices) known.push_back(c.id);
  const auto default_method = std::get<Choice>(method->default_value).id;
  std::vector<std::string> names{info.exact_method.empty() ? default_method : info.exact_method};
  for (const std::string& name : wanted.value_or(known)) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string nearest = nearest_name(name, known);
      throw UsageError(nearest.empty()
                           ? message({"usage.no_method", "{filter} has no method {method}"},
                                     info.id, in_quotes(name))
                           : message({"usage.no_method_but",
                                      "{filter} has no method {method}; did you mean {nearest}?"},
                                     info.id, in_quotes(name), in_quotes(nearest)));
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return sfumato::method_axis(0, names);
}

Axis recipe_axis(const std::string& named, const std::vector<std::string>& others) {
  Axis axis{"recipe", {{named, [](Variant&) {}}}};
  for (const std::string& word : others) {
    if (const RegisteredFilter* filter = Registry::get().find(word)) {
      const Recipe recipe = recipe_of(filter->filter->info(), {});
      axis.settings.push_back({word, [recipe](Variant& v) { v.recipe = recipe; }});
      continue;
    }
    const NamedRecipe other = read_recipe(word, WantedRecipe::any, Registry::get().ids());
    axis.settings.push_back(
        {other.name, [recipe = other.recipe](Variant& v) { v.recipe = recipe; }});
  }
  return axis;
}

Axis device_axis(const std::vector<std::string>& devices) {
  Axis axis{"device", {}, true};
  for (const std::string& device : devices) {
    axis.settings.push_back({"device " + device, [device](Variant& v) { v.device = device; }});
  }
  return axis;
}

Axis form_axis(const std::vector<std::string>& forms) {
  Axis axis{"form", {}, true};
  for (const std::string& name : forms) {
    if (name != "gpu" && name != "cpu") {
      throw UsageError(message({"usage.not_among", "{option} takes one of {words}, not {value}"},
                               "--forms", "gpu, cpu", in_quotes(name)));
    }
    const Form form = name == "gpu" ? Form::gpu : Form::cpu;
    axis.settings.push_back({name + " form", [form](Variant& v) { v.form = form; }});
  }
  return axis;
}

}  // namespace sfumato::cli
