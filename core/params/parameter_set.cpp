// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The parameters of one filter in order, and a filter's values by name.
#include "params/parameter_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "params/errors.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

/// Rejects a comparison that a parameter of this kind can never satisfy.
void check_term(const Parameter& shown, const Condition::Term& term, const Parameter& subject) {
  const auto fail = [&](const std::string& why) {
    throw std::logic_error("parameter " + shown.name + ": condition \"" + shown.visible_if.text() +
                           "\": " + why);
  };
  const bool number = subject.kind == Kind::real || subject.kind == Kind::integer;
  const bool ordered = term.relation >= Condition::Relation::less;
  if (ordered && !number) fail(subject.name + " is not a number");
  if (term.operands.empty()) {
    if (!number && subject.kind != Kind::boolean && subject.kind != Kind::image)
      fail(subject.name + " is neither on nor off");
    return;
  }
  for (const std::string& operand : term.operands) {
    double unused = 0;
    bool flag = false;
    const bool comparable = number ? parse_number(operand, unused)
                            : subject.kind == Kind::boolean
                                ? scan::parse_boolean(operand, flag)
                                : subject.find_choice(operand) != nullptr;
    if (!comparable) fail(subject.name + " can never be \"" + operand + "\"");
  }
}

Value scaled_value(const Parameter& parameter, const Value& value, double factor) {
  const Range& valid = parameter.valid;
  if (const auto* real = std::get_if<double>(&value)) {
    constexpr double largest = std::numeric_limits<double>::max();
    const double product = *real == 0 ? 0 : *real * factor;  // the factor may be infinite
    return std::clamp(product, std::max(valid.min, -largest), std::min(valid.max, largest));
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (!integer) return value;
  double whole = *integer == 0 ? 0 : std::round(static_cast<double>(*integer) * factor);
  if (whole == 0 && *integer != 0) whole = *integer > 0 ? 1 : -1;
  const double limit = 9e15;  // whole numbers below this are exact in a double
  whole = std::clamp(whole, std::max(std::ceil(valid.min), -limit),
                     std::min(std::floor(valid.max), limit));
  return static_cast<std::int64_t>(whole);
}

// The caller quotes `name` and `nearest`; an empty filter is not mentioned.
Message unknown_parameter(const std::string& name, const std::string& filter,
                          const std::vector<std::string>& names, const std::string& nearest) {
  const std::string list = scan::joined(names);
  if (filter.empty()) {
    if (!nearest.empty()) {
      return message(
          {"parameter.unknown_but", "unknown parameter {parameter}; did you mean {nearest}?"}, name,
          in_quotes(nearest));
    }
    if (names.empty()) {
      return message({"parameter.unknown_of_none", "unknown parameter {parameter}; there are none"},
                     name);
    }
    return message({"parameter.unknown", "unknown parameter {parameter}; there are {parameters}"},
                   name, list);
  }
  if (!nearest.empty()) {
    return message({"filter.unknown_parameter_but",
                    "unknown parameter {parameter} of {filter}; did you mean {nearest}?"},
                   name, filter, in_quotes(nearest));
  }
  if (names.empty()) {
    return message(
        {"filter.no_parameters", "unknown parameter {parameter} of {filter}; there are none"}, name,
        filter);
  }
  return message({"filter.unknown_parameter",
                  "unknown parameter {parameter} of {filter}; there are {parameters}"},
                 name, filter, list);
}

}  // namespace

ParameterSet::ParameterSet(std::initializer_list<Parameter> parameters) : parameters_(parameters) {
  check();
}

ParameterSet::ParameterSet(std::string filter, std::vector<Parameter> parameters)
    : filter_(std::move(filter)), parameters_(std::move(parameters)) {
  check();
}

void ParameterSet::check() const {
  std::set<std::string> names;
  for (const Parameter& parameter : parameters_) {
    parameter.validate();
    if (!names.insert(parameter.name).second)
      throw std::logic_error("parameter " + parameter.name + " is declared twice");
  }
  for (const Parameter& parameter : parameters_) {
    for (const Condition::Term& term : parameter.visible_if.terms()) {
      const Parameter* subject = find(term.name);
      if (!subject || subject == &parameter)
        throw std::logic_error("parameter " + parameter.name + ": condition \"" +
                               parameter.visible_if.text() + "\" names " +
                               (subject ? "itself" : "an unknown parameter, " + term.name));
      check_term(parameter, term, *subject);
    }
  }
}

const Parameter* ParameterSet::find(std::string_view name) const {
  const auto same = [](char a, char b) { return a == (b == '-' ? '_' : b); };
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& parameter) {
        return std::equal(parameter.name.begin(), parameter.name.end(), name.begin(), name.end(),
                          same);
      });
  return found == parameters_.end() ? nullptr : &*found;
}

const Parameter& ParameterSet::at(std::string_view name) const {
  if (const Parameter* parameter = find(name)) return *parameter;
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.name);
  throw ParameterError(
      ParameterError::Reason::unknown_name, std::string(name),
      unknown_parameter(in_quotes(name), filter_, names, nearest_name(name, names)), filter_);
}

void Values::set(std::string_view name, Value value) {
  values_.insert_or_assign(scan::underscored(name), std::move(value));
}

void Values::erase(std::string_view name) {
  values_.erase(scan::underscored(name));
}

const Value* Values::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

const Value& Values::at(std::string_view name) const {
  if (const Value* value = find(name)) return *value;
  throw std::logic_error("there is no value called " + std::string(name));
}

double Values::number(std::string_view name) const {
  const Value& value = at(name);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return get<double>(name);
}

Values defaults(const ParameterSet& set) {
  Values values;
  for (const Parameter& parameter : set) values.set(parameter.name, parameter.default_value);
  return values;
}

Values complete(const ParameterSet& set, const Values& given) {
  Values values = defaults(set);
  for (const auto& [name, value] : given) {
    const Parameter& parameter = set.at(name);
    Value wanted = coerce(parameter, value);
    check(parameter, wanted);
    values.set(parameter.name, std::move(wanted));
  }
  return values;
}

void set_text(Values& values, const ParameterSet& set, std::string_view name,
              std::string_view text) {
  const Parameter& parameter = set.at(name);
  values.set(parameter.name, parse(parameter, text));
}

Values scaled(const ParameterSet& set, const Values& values, double zoom) {
  if (!(zoom > 0 && std::isfinite(zoom)))
    throw std::invalid_argument("the zoom must be a finite number above 0");
  Values result = values;
  for (const Parameter& parameter : set) {
    const Value* value = values.find(parameter.name);
    if (!value || parameter.zoom == ZoomLaw::fixed) continue;
    const double factor = parameter.zoom == ZoomLaw::scales_with_picture ? zoom : 1 / zoom;
    result.set(parameter.name, scaled_value(parameter, *value, factor));
  }
  return result;
}

}  // namespace sfumato
