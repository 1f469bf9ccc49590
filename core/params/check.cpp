// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The one validator: checks values against a parameter's declaration.
#include <algorithm>
#include <array>
#include <cmath>

#include "params/errors.hpp"
#include "params/refusals.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, Message sentence,
                         ParameterError::Reason reason = ParameterError::Reason::not_allowed) {
  throw ParameterError(reason, parameter.name, std::move(sentence));
}

/// The component at fault, for values that have several.
enum class Part { whole, red, green, blue, alpha, position, x, y };

MessageValue named(Part part, MessageValue number) {
  switch (part) {
    case Part::whole:
      break;
    case Part::red:
      return message({"part.red", "red {number}"}, std::move(number));
    case Part::green:
      return message({"part.green", "green {number}"}, std::move(number));
    case Part::blue:
      return message({"part.blue", "blue {number}"}, std::move(number));
    case Part::alpha:
      return message({"part.alpha", "alpha {number}"}, std::move(number));
    case Part::position:
      return message({"part.position", "position {number}"}, std::move(number));
    case Part::x:
      return message({"part.x", "x {number}"}, std::move(number));
    case Part::y:
      return message({"part.y", "y {number}"}, std::move(number));
  }
  return number;
}

void check_number(const Parameter& parameter, double value, const Range& valid,
                  Part part = Part::whole) {
  if (valid.contains(value) && std::isfinite(value)) return;
  if (!std::isfinite(value)) {
    refuse(parameter, not_allowed(parameter, named(part, print_number(value)), valid));
  }
  refuse(parameter, outside_range(parameter, named(part, with_unit(value, parameter.unit)), valid));
}

void check_color(const Parameter& parameter, const Color& color) {
  const std::array<double, 3> parts = {color.r, color.g, color.b};
  constexpr std::array<Part, 3> names = {Part::red, Part::green, Part::blue};
  for (std::size_t i = 0; i < parts.size(); ++i)
    check_number(parameter, parts[i], parameter.valid, names[i]);
  check_number(parameter, color.a, {0, 1}, Part::alpha);
}

void check_value(const Parameter& parameter, double value) {
  check_number(parameter, value, parameter.valid);
}

void check_value(const Parameter& parameter, std::int64_t value) {
  check_number(parameter, static_cast<double>(value), parameter.valid);
}

void check_value(const Parameter&, bool) {}

void check_value(const Parameter& parameter, const Choice& choice) {
  if (parameter.find_choice(choice.id)) return;
  std::vector<std::string> ids;
  for (const ChoiceOption& option : parameter.choices) ids.push_back(option.id);
  const std::string nearest = nearest_name(choice.id, ids);
  if (!nearest.empty()) {
    refuse(parameter,
           message({"parameter.no_such_choice_but",
                    "{parameter}: {value} is not one of {choices}; did you mean "
                    "{nearest}?"},
                   named(parameter), in_quotes(choice.id), scan::joined(ids), in_quotes(nearest)));
  }
  refuse(parameter,
         message({"parameter.no_such_choice", "{parameter}: {value} is not one of {choices}"},
                 named(parameter), in_quotes(choice.id), scan::joined(ids)));
}

void check_value(const Parameter& parameter, const Color& color) {
  check_color(parameter, color);
}

void check_value(const Parameter& parameter, const Gradient& gradient) {
  if (gradient.stops.empty())
    refuse(parameter,
           message({"parameter.no_stop", "{parameter}: a gradient needs at least one stop"},
                   named(parameter)));
  double last = 0;
  for (const Gradient::Stop& stop : gradient.stops) {
    check_number(parameter, stop.position, {0, 1}, Part::position);
    if (stop.position < last)
      refuse(parameter, message({"parameter.stop_order",
                                 "{parameter}: position {position} comes after {before}; give the "
                                 "stops from left to right"},
                                named(parameter), print_number(stop.position), print_number(last)));
    last = stop.position;
    check_color(parameter, stop.color);
  }
}

void check_value(const Parameter& parameter, const Curve& curve) {
  if (curve.points.size() < 2)
    refuse(parameter,
           message({"parameter.no_curve", "{parameter}: a curve needs at least two points"},
                   named(parameter)));
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const Curve::Point& point = curve.points[i];
    check_number(parameter, point.x, parameter.valid, Part::x);
    check_number(parameter, point.y, parameter.valid, Part::y);
    if (i > 0 && !(point.x > curve.points[i - 1].x))
      refuse(
          parameter,
          message({"parameter.point_order", "{parameter}: x {x} comes after {before}; x must rise"},
                  named(parameter), print_number(point.x), print_number(curve.points[i - 1].x)));
  }
}

void check_value(const Parameter& parameter, const Matrix& matrix) {
  const auto size = [](int rows, int columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  };
  const std::string given = size(matrix.rows, matrix.columns);
  if (matrix.rows < 1 || matrix.columns < 1)
    refuse(parameter, message({"parameter.no_matrix",
                               "{parameter}: a matrix needs at least one row and one column"},
                              named(parameter)));
  if (matrix.rows > parameter.max_rows || matrix.columns > parameter.max_columns)
    refuse(
        parameter,
        message({"parameter.large_matrix", "{parameter}: a matrix of {size} is larger than {most}"},
                named(parameter), given, size(parameter.max_rows, parameter.max_columns)));
  if (parameter.odd_only && (matrix.rows % 2 == 0 || matrix.columns % 2 == 0))
    refuse(parameter, message({"parameter.even_matrix",
                               "{parameter}: a matrix of {size} has no middle; both sizes must be "
                               "odd"},
                              named(parameter), given));
  if (matrix.values.size() !=
      static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns))
    refuse(parameter, message({"parameter.broken_matrix",
                               "{parameter}: a matrix of {size} does not hold {count} numbers"},
                              named(parameter), given, matrix.values.size()));
  for (const double value : matrix.values) check_number(parameter, value, parameter.valid);
}

void check_value(const Parameter& parameter, const ImageRef& image) {
  const auto has_control = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  };
  if (image.path.find('\0') != std::string::npos)
    refuse(parameter, message({"parameter.path_nul", "{parameter}: a path cannot hold NUL"},
                              named(parameter)));
  if (image.channels.empty()) return;
  if (!image.bound())
    refuse(parameter, message({"parameter.channels_without_file",
                               "{parameter}: channels {channels} have no file"},
                              named(parameter), in_quotes(image.channels)));
  if (image.channels.find(':') != std::string::npos || has_control(image.channels))
    refuse(parameter,
           message({"parameter.not_channels", "{parameter}: {channels} are not names of channels"},
                   named(parameter), in_quotes(image.channels)));
  for (const std::string_view name : scan::split(image.channels, ','))
    if (name.empty())
      refuse(parameter, message({"parameter.unnamed_channel",
                                 "{parameter}: channels {channels} lack a name between commas"},
                                named(parameter), in_quotes(image.channels)));
}

}  // namespace

void check(const Parameter& parameter, const Value& value) {
  if (kind_of(value) != parameter.kind)
    refuse(parameter, wrong_kind(parameter, kind_of(value)), ParameterError::Reason::wrong_kind);
  std::visit([&](const auto& held) { check_value(parameter, held); }, value);
}

}  // namespace sfumato
