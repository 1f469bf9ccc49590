// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "params/refusals.hpp"

#include <cmath>
#include <stdexcept>

#include "params/text.hpp"

namespace sfumato {

MessageValue named(const Parameter& parameter) {
  return {parameter.name, parameter.label, TextKind::text};
}

MessageValue named(const Parameter& parameter, std::string_view choice) {
  const ChoiceOption* option = parameter.find_choice(choice);
  if (option == nullptr) throw std::logic_error(parameter.name + " has no such choice");
  return {option->id, option->label, TextKind::choice};
}

MessageValue with_unit(double value, Unit unit) {
  if (unit != Unit::degrees) return print_with_unit(value, unit);
  const std::string number = print_number(value);
  if (value == 1) return message({"value.degree", "{number} degree"}, number);
  return message({"value.degrees", "{number} degrees"}, number);
}

Message wanted_number(const Range& range, Unit unit) {
  const bool below = std::isfinite(range.min), above = std::isfinite(range.max);
  if (below && above) {
    return message({"wanted.between", "give a number from {least} to {most}"},
                   print_number(range.min), with_unit(range.max, unit));
  }
  if (below) {
    return message({"wanted.at_least", "give a number of at least {least}"},
                   with_unit(range.min, unit));
  }
  if (above) {
    return message({"wanted.at_most", "give a number of at most {most}"},
                   with_unit(range.max, unit));
  }
  return message({"wanted.any", "give a number of any size"});
}

Message not_allowed(const Parameter& parameter, MessageValue given, const Range& range) {
  return message({"parameter.not_allowed", "{parameter}: {value} is not allowed; {wanted}"},
                 named(parameter), std::move(given), wanted_number(range, parameter.unit));
}

Message outside_range(const Parameter& parameter, MessageValue given, const Range& range) {
  if (!std::isfinite(range.min) || !std::isfinite(range.max)) {
    return not_allowed(parameter, std::move(given), range);
  }
  return message({"parameter.outside", "{parameter}: {value} is outside {least} to {most}"},
                 named(parameter), std::move(given), print_number(range.min),
                 with_unit(range.max, parameter.unit));
}

Message beyond_numbers(const Parameter& parameter, MessageValue given) {
  return message({"parameter.beyond_numbers",
                  "{parameter}: {value} is beyond what a number can hold; {wanted}"},
                 named(parameter), std::move(given),
                 wanted_number(parameter.valid, parameter.unit));
}

Message beyond_integers(const Parameter& parameter, MessageValue given) {
  const Range& valid = parameter.valid;
  const bool has_ends = std::isfinite(valid.min) && std::isfinite(valid.max);
  if (has_ends) return outside_range(parameter, std::move(given), valid);
  return message(
      {"parameter.beyond_integers", "{parameter}: {value} is beyond what a whole number can hold"},
      named(parameter), std::move(given));
}

Message wrong_kind(const Parameter& parameter, Kind given) {
  return message({"parameter.wrong_kind", "{parameter}: its kind is {kind}, not {given}"},
                 named(parameter), name_of(parameter.kind), name_of(given));
}

}  // namespace sfumato
