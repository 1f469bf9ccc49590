// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Visibility conditions: reading, evaluating and writing them.
#include "params/condition.hpp"

#include <algorithm>
#include <stdexcept>

#include "params/parameter_set.hpp"
#include "params/scan.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

using Relation = Condition::Relation;

struct Operator {
  std::string_view text;
  Relation relation;
};

// Longer operators first, because "!=" contains "=".
constexpr Operator operators[] = {{"!=", Relation::not_equal},  {">=", Relation::greater_equal},
                                  {"<=", Relation::less_equal}, {"=", Relation::equal},
                                  {">", Relation::greater},     {"<", Relation::less}};

[[noreturn]] void fail(std::string_view text, const std::string& why) {
  throw std::logic_error("condition \"" + std::string(text) + "\": " + why);
}

bool is_operand(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return scan::is_letter(c) || scan::is_digit(c) || c == '_' || c == '-' || c == '+' || c == '.';
  });
}

Condition::Term parse_term(std::string_view text, std::string_view whole) {
  Condition::Term term;
  for (const Operator& op : operators) {
    const std::size_t at = text.find(op.text);
    if (at == std::string_view::npos) continue;
    term.name = scan::trim(text.substr(0, at));
    term.relation = op.relation;
    for (const std::string_view part : scan::split(text.substr(at + op.text.size()), '|'))
      term.operands.emplace_back(part);
    break;
  }
  if (term.operands.empty()) {
    const bool negated = text.starts_with('!');
    term.name = scan::trim(text.substr(negated ? 1 : 0));
    term.relation = negated ? Relation::falsy : Relation::truthy;
  }
  if (!is_snake_case(term.name)) fail(whole, "\"" + term.name + "\" is not a parameter's name");
  for (const std::string& operand : term.operands)
    if (!is_operand(operand)) fail(whole, "\"" + operand + "\" cannot be compared with");
  const bool ordered = term.relation >= Relation::less;
  double number = 0;
  if (ordered && (term.operands.size() != 1 || !parse_number(term.operands[0], number)))
    fail(whole, "an order needs one number");
  return term;
}

bool truthy(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real != 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer != 0;
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean;
  if (const auto* choice = std::get_if<Choice>(&value)) return !choice->id.empty();
  if (const auto* image = std::get_if<ImageRef>(&value)) return image->bound();
  return true;
}

bool number_of(const Value& value, double& number) {
  if (const auto* real = std::get_if<double>(&value)) number = *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    number = static_cast<double>(*integer);
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

bool equals(const Value& value, const std::string& operand) {
  if (const auto* choice = std::get_if<Choice>(&value)) return choice->id == operand;
  if (const auto* boolean = std::get_if<bool>(&value)) {
    bool wanted = false;
    return scan::parse_boolean(operand, wanted) && *boolean == wanted;
  }
  double number = 0, wanted = 0;
  return number_of(value, number) && parse_number(operand, wanted) && number == wanted;
}

bool holds(const Condition::Term& term, const Value& value) {
  const auto is_one = [&] {
    return std::any_of(term.operands.begin(), term.operands.end(),
                       [&](const std::string& operand) { return equals(value, operand); });
  };
  const auto ordered = [&](auto compare) {
    double number = 0, limit = 0;
    return number_of(value, number) && parse_number(term.operands.at(0), limit) &&
           compare(number, limit);
  };
  switch (term.relation) {
    case Relation::truthy:
      return truthy(value);
    case Relation::falsy:
      return !truthy(value);
    case Relation::equal:
      return is_one();
    case Relation::not_equal:
      return !is_one();
    case Relation::less:
      return ordered([](double a, double b) { return a < b; });
    case Relation::less_equal:
      return ordered([](double a, double b) { return a <= b; });
    case Relation::greater:
      return ordered([](double a, double b) { return a > b; });
    case Relation::greater_equal:
      return ordered([](double a, double b) { return a >= b; });
  }
  return true;
}

}  // namespace

Condition Condition::parse(std::string_view text) {
  Condition condition;
  if (scan::trim(text).empty()) return condition;
  for (const std::string_view part : scan::split(text, '&'))
    condition.terms_.push_back(parse_term(part, text));
  return condition;
}

bool Condition::evaluate(const Values& values) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, values.at(term.name)); });
}

std::string Condition::text() const {
  std::string text;
  for (const Term& term : terms_) {
    if (!text.empty()) text += " & ";
    if (term.relation == Relation::falsy) text += "!";
    text += term.name;
    for (const Operator& op : operators)
      if (op.relation == term.relation) text.append(" ").append(op.text);
    for (std::size_t i = 0; i < term.operands.size(); ++i)
      text += (i ? " | " : " ") + term.operands[i];
  }
  return text;
}

std::vector<std::string> Condition::names() const {
  std::vector<std::string> names;
  for (const Term& term : terms_)
    if (std::find(names.begin(), names.end(), term.name) == names.end()) names.push_back(term.name);
  return names;
}

}  // namespace sfumato
