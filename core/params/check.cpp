// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The one validator: what a parameter's declaration allows.
#include <algorithm>
#include <array>
#include <cmath>

#include "params/errors.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, const std::string& why,
                         ParameterError::Reason reason = ParameterError::Reason::not_allowed) {
  throw ParameterError(reason, parameter.name, parameter.name + ": " + why);
}

/// `part` says which number it is where there are several, e.g. "x ".
void check_number(const Parameter& parameter, double value, const Range& valid,
                  const std::string& part = {}) {
  if (valid.contains(value) && std::isfinite(value)) return;
  const std::string wanted = print_wanted(valid, parameter.unit);
  if (!std::isfinite(value))
    refuse(parameter, part + print_number(value) + " is not allowed; " + wanted);
  const std::string given = part + print_with_unit(value, parameter.unit);
  if (!std::isfinite(valid.min) || !std::isfinite(valid.max))
    refuse(parameter, given + " is not allowed; " + wanted);
  refuse(parameter, given + " is outside " + print_range(valid, parameter.unit));
}

void check_color(const Parameter& parameter, const Color& color) {
  const std::array<double, 3> parts = {color.r, color.g, color.b};
  const std::array<const char*, 3> names = {"red ", "green ", "blue "};
  for (std::size_t i = 0; i < parts.size(); ++i)
    check_number(parameter, parts[i], parameter.valid, names[i]);
  check_number(parameter, color.a, {0, 1}, "alpha ");
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
  refuse(parameter, in_quotes(choice.id) + " is not one of " + scan::joined(ids) +
                        did_you_mean(choice.id, ids));
}

void check_value(const Parameter& parameter, const Color& color) {
  check_color(parameter, color);
}

void check_value(const Parameter& parameter, const Gradient& gradient) {
  if (gradient.stops.empty()) refuse(parameter, "a gradient needs at least one stop");
  double last = 0;
  for (const Gradient::Stop& stop : gradient.stops) {
    check_number(parameter, stop.position, {0, 1}, "position ");
    if (stop.position < last)
      refuse(parameter, "position " + print_number(stop.position) + " comes after " +
                            print_number(last) + "; give the stops from left to right");
    last = stop.position;
    check_color(parameter, stop.color);
  }
}

void check_value(const Parameter& parameter, const Curve& curve) {
  if (curve.points.size() < 2) refuse(parameter, "a curve needs at least two points");
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const Curve::Point& point = curve.points[i];
    check_number(parameter, point.x, parameter.valid, "x ");
    check_number(parameter, point.y, parameter.valid, "y ");
    if (i > 0 && !(point.x > curve.points[i - 1].x))
      refuse(parameter, "x " + print_number(point.x) + " comes after " +
                            print_number(curve.points[i - 1].x) + "; x must rise");
  }
}

void check_value(const Parameter& parameter, const Matrix& matrix) {
  const auto size = [](int rows, int columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  };
  const std::string given = size(matrix.rows, matrix.columns);
  if (matrix.rows < 1 || matrix.columns < 1)
    refuse(parameter, "a matrix needs at least one row and one column");
  if (matrix.rows > parameter.max_rows || matrix.columns > parameter.max_columns)
    refuse(parameter, "a matrix of " + given + " is larger than " +
                          size(parameter.max_rows, parameter.max_columns));
  if (parameter.odd_only && (matrix.rows % 2 == 0 || matrix.columns % 2 == 0))
    refuse(parameter, "a matrix of " + given + " has no middle; both sizes must be odd");
  if (matrix.values.size() !=
      static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns))
    refuse(parameter, "a matrix of " + given + " does not hold " +
                          std::to_string(matrix.values.size()) + " numbers");
  for (const double value : matrix.values) check_number(parameter, value, parameter.valid);
}

void check_value(const Parameter& parameter, const ImageRef& image) {
  const auto has_control = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  };
  if (image.path.find('\0') != std::string::npos) refuse(parameter, "a path cannot hold NUL");
  if (image.channels.empty()) return;
  if (!image.bound()) refuse(parameter, "channels " + in_quotes(image.channels) + " have no file");
  if (image.channels.find(':') != std::string::npos || has_control(image.channels))
    refuse(parameter, in_quotes(image.channels) + " are not names of channels");
  for (const std::string_view name : scan::split(image.channels, ','))
    if (name.empty())
      refuse(parameter, "channels " + in_quotes(image.channels) + " lack a name between commas");
}

}  // namespace

void check(const Parameter& parameter, const Value& value) {
  if (kind_of(value) != parameter.kind)
    refuse(parameter,
           "its kind is " + std::string(name_of(parameter.kind)) + ", not " +
               std::string(name_of(kind_of(value))),
           ParameterError::Reason::wrong_kind);
  std::visit([&](const auto& held) { check_value(parameter, held); }, value);
}

}  // namespace sfumato
