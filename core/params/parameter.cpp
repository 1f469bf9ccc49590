// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Declaring parameters: factories, narrowing, and checks of the declarations.
#include "params/parameter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "params/errors.hpp"
#include "params/scan.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

[[noreturn]] void fail(const Parameter& parameter, const std::string& why) {
  throw std::logic_error("parameter " + parameter.name + ": " + why);
}

bool is_number(Kind kind) {
  return kind == Kind::real || kind == Kind::integer;
}

bool has_range(Kind kind) {
  return kind != Kind::boolean && kind != Kind::choice && kind != Kind::image;
}

/// Finite even where the valid range is not, so that a slider can show it.
Range slider_for(const Range& valid) {
  Range slider;
  slider.min = std::isfinite(valid.min) ? valid.min : std::min(-100.0, valid.max - 100);
  slider.max = std::isfinite(valid.max) ? valid.max : std::max(100.0, slider.min + 100);
  return slider;
}

void check_range(const Parameter& parameter, const Range& range, const char* which) {
  if (!(range.min <= range.max)) fail(parameter, std::string(which) + " range is empty");
}

void check_law(const Parameter& parameter) {
  if (parameter.law == SliderLaw::logarithmic && !(parameter.slider.min > 0))
    fail(parameter, "a logarithmic slider must start above 0");
  if (!(parameter.law_gamma > 0 && std::isfinite(parameter.law_gamma)))
    fail(parameter, "the slider's gamma must be above 0");
}

void check_default(const Parameter& parameter) {
  try {
    check(parameter, parameter.default_value);
  } catch (const ParameterError& error) {
    fail(parameter, std::string("its default is not allowed: ") + error.what());
  }
}

void check_choices(const Parameter& parameter, const std::vector<ChoiceOption>& options) {
  std::set<std::string> seen;
  for (const ChoiceOption& option : options) {
    const bool plain = std::all_of(option.id.begin(), option.id.end(), [](char c) {
      return scan::is_lower(c) || scan::is_digit(c) || c == '_' || c == '-';
    });
    if (option.id.empty() || !plain)
      fail(parameter, "choice \"" + option.id + "\" needs an id of a-z, 0-9, _ and -");
    if (!seen.insert(scan::folded(option.id)).second)
      fail(parameter, "choice \"" + option.id + "\" is there twice");
    if (option.label.empty()) fail(parameter, "choice \"" + option.id + "\" has no label");
  }
}

Parameter base(std::string_view name, std::string_view label, std::string_view help, Kind kind,
               Value default_value) {
  Parameter parameter;
  parameter.name = name;
  parameter.label = label;
  parameter.help = help;
  parameter.kind = kind;
  parameter.default_value = std::move(default_value);
  if (!is_snake_case(name)) fail(parameter, "the name is not snake_case");
  if (label.empty() || help.empty()) fail(parameter, "it needs a label and a sentence of help");
  return parameter;
}

Parameter ranged(Parameter parameter, Range valid) {
  check_range(parameter, valid, "valid");
  parameter.valid = valid;
  parameter.slider = slider_for(valid);
  return parameter;
}

}  // namespace

Parameter Parameter::real(std::string_view name, std::string_view label, std::string_view help,
                          double default_value, Range valid) {
  Parameter result = ranged(base(name, label, help, Kind::real, default_value), valid);
  check_default(result);
  return result;
}

Parameter Parameter::integer(std::string_view name, std::string_view label, std::string_view help,
                             std::int64_t default_value, Range valid) {
  Parameter result = ranged(base(name, label, help, Kind::integer, default_value), valid);
  result.step = 1;
  check_default(result);
  return result;
}

Parameter Parameter::boolean(std::string_view name, std::string_view label, std::string_view help,
                             bool default_value) {
  return base(name, label, help, Kind::boolean, default_value);
}

Parameter Parameter::choice(std::string_view name, std::string_view label, std::string_view help,
                            std::vector<ChoiceOption> choices) {
  const Parameter open = base(name, label, help, Kind::choice, Choice());
  return choices.empty() ? open : open.with_choices(std::move(choices));
}

Parameter Parameter::color(std::string_view name, std::string_view label, std::string_view help,
                           Color default_value, Range valid) {
  Parameter result = ranged(base(name, label, help, Kind::color, default_value), valid);
  check_default(result);
  return result;
}

Parameter Parameter::gradient(std::string_view name, std::string_view label, std::string_view help,
                              Gradient default_value, Range valid) {
  Parameter result =
      ranged(base(name, label, help, Kind::gradient, std::move(default_value)), valid);
  check_default(result);
  return result;
}

Parameter Parameter::curve(std::string_view name, std::string_view label, std::string_view help,
                           Curve default_value, Range valid) {
  Parameter result = ranged(base(name, label, help, Kind::curve, std::move(default_value)), valid);
  check_default(result);
  return result;
}

Parameter Parameter::matrix(std::string_view name, std::string_view label, std::string_view help,
                            Matrix default_value, int max_rows, int max_columns, bool odd_only) {
  Parameter result = ranged(base(name, label, help, Kind::matrix, std::move(default_value)),
                            {-infinity, infinity});
  result.max_rows = max_rows;
  result.max_columns = max_columns;
  result.odd_only = odd_only;
  if (max_rows < 1 || max_columns < 1) fail(result, "a matrix needs limits of at least 1 x 1");
  check_default(result);
  return result;
}

Parameter Parameter::image(std::string_view name, std::string_view label, std::string_view help) {
  return base(name, label, help, Kind::image, ImageRef());
}

Parameter Parameter::with_default(Value value) const {
  Parameter result = *this;
  result.default_value = coerce(*this, std::move(value));
  check_default(result);
  return result;
}

Parameter Parameter::with_default(const char* text) const {
  Parameter result = *this;
  try {
    result.default_value = parse(*this, text);
  } catch (const ParameterError& error) {
    fail(*this, std::string("its default is not allowed: ") + error.what());
  }
  return result;
}

Parameter Parameter::with_valid(Range range) const {
  Parameter result = *this;
  if (!has_range(kind)) fail(*this, "its kind has no range");
  check_range(*this, range, "valid");
  if (!valid.contains(range))
    fail(*this,
         "valid range " + print_range(range, unit) + " is wider than " + print_range(valid, unit));
  result.valid = range;
  result.slider = {std::max(slider.min, range.min), std::min(slider.max, range.max)};
  if (!(result.slider.min <= result.slider.max)) result.slider = slider_for(range);
  return result;
}

Parameter Parameter::with_slider(Range range) const {
  Parameter result = *this;
  if (!is_number(kind)) fail(*this, "its kind has no slider");
  check_range(*this, range, "slider");
  if (!valid.contains(range) || !std::isfinite(range.min) || !std::isfinite(range.max))
    fail(*this,
         "slider range " + print_range(range, unit) + " is outside " + print_range(valid, unit));
  result.slider = range;
  check_law(result);
  return result;
}

Parameter Parameter::with_law(SliderLaw slider_law, double gamma) const {
  Parameter result = *this;
  if (!is_number(kind)) fail(*this, "its kind has no slider");
  result.law = slider_law;
  result.law_gamma = gamma;
  check_law(result);
  return result;
}

Parameter Parameter::with_step(double size) const {
  Parameter result = *this;
  if (!is_number(kind)) fail(*this, "its kind has no step");
  if (!(size >= 0 && std::isfinite(size))) fail(*this, "a step cannot be negative");
  if (kind == Kind::integer && (size < 1 || size != std::floor(size)))
    fail(*this, "an integer's step is a whole number");
  result.step = size;
  return result;
}

Parameter Parameter::with_unit(Unit what) const {
  Parameter result = *this;
  result.unit = what;
  return result;
}

Parameter Parameter::with_zoom(ZoomLaw how) const {
  Parameter result = *this;
  if (how != ZoomLaw::fixed && !is_number(kind)) fail(*this, "only numbers scale with the zoom");
  result.zoom = how;
  return result;
}

Parameter Parameter::with_choices(std::vector<ChoiceOption> options) const {
  Parameter result = *this;
  if (kind != Kind::choice) fail(*this, "its kind has no choices");
  if (options.empty()) fail(*this, "it needs at least one choice");
  check_choices(*this, options);
  for (const ChoiceOption& option : options)
    if (!choices.empty() && !find_choice(option.id))
      fail(*this, "choice \"" + option.id + "\" is not in its vocabulary");
  result.choices = std::move(options);
  if (!result.find_choice(std::get<Choice>(result.default_value).id))
    result.default_value = Choice(result.choices.front().id);
  return result;
}

Parameter Parameter::only_choices(const std::vector<std::string>& ids) const {
  std::vector<ChoiceOption> kept;
  for (const std::string& id : ids) {
    const ChoiceOption* option = find_choice(id);
    if (!option) fail(*this, "choice \"" + id + "\" is not in its vocabulary");
    kept.push_back(*option);
  }
  return with_choices(std::move(kept));
}

Parameter Parameter::visible_when(std::string_view condition) const {
  Parameter result = *this;
  result.visible_if = Condition::parse(condition);
  return result;
}

Parameter Parameter::with_halo(bool changes) const {
  Parameter result = *this;
  result.changes_halo = changes;
  return result;
}

Parameter Parameter::with_limits(int rows, int columns, bool odd) const {
  Parameter result = *this;
  if (kind != Kind::matrix) fail(*this, "only a matrix has limits of size");
  if (rows < 1 || columns < 1 || rows > max_rows || columns > max_columns || (odd_only && !odd))
    fail(*this, "its limits of size are wider than its vocabulary's");
  result.max_rows = rows;
  result.max_columns = columns;
  result.odd_only = odd;
  return result;
}

Parameter Parameter::with_label(std::string_view text) const {
  Parameter result = *this;
  if (text.empty()) fail(*this, "it needs a label");
  result.label = text;
  return result;
}

Parameter Parameter::with_help(std::string_view text) const {
  Parameter result = *this;
  if (text.empty()) fail(*this, "it needs a sentence of help");
  result.help = text;
  return result;
}

Parameter Parameter::as_real() const {
  Parameter result = *this;
  if (kind != Kind::integer) fail(*this, "only an integer word can be taken as real");
  result.kind = Kind::real;
  result.default_value = coerce(result, default_value);
  return result;
}

void Parameter::validate() const {
  if (!is_snake_case(name)) fail(*this, "the name is not snake_case");
  if (label.empty() || help.empty()) fail(*this, "it needs a label and a sentence of help");
  if (kind_of(default_value) != kind) fail(*this, "its default is of another kind");
  if (has_range(kind)) check_range(*this, valid, "valid");
  if (is_number(kind)) {
    check_range(*this, slider, "slider");
    if (!valid.contains(slider) || !std::isfinite(slider.min) || !std::isfinite(slider.max))
      fail(*this, "slider range is outside the valid range");
    check_law(*this);
  }
  if (kind != Kind::choice && !choices.empty()) fail(*this, "its kind has no choices");
  if (kind == Kind::choice) {
    if (choices.empty()) fail(*this, "it needs choices");
    check_choices(*this, choices);
  }
  if (zoom != ZoomLaw::fixed && !is_number(kind)) fail(*this, "only numbers scale with the zoom");
  check_default(*this);
}

const ChoiceOption* Parameter::find_choice(std::string_view id) const {
  const auto found = std::find_if(choices.begin(), choices.end(),
                                  [&](const ChoiceOption& option) { return option.id == id; });
  return found == choices.end() ? nullptr : &*found;
}

double value_at(const Parameter& parameter, double position) {
  const auto [min, max] = parameter.slider;
  const double t = std::clamp(position, 0.0, 1.0);
  double value = min + (max - min) * t;
  if (parameter.law == SliderLaw::logarithmic) value = min * std::pow(max / min, t);
  if (parameter.law == SliderLaw::power)
    value = min + (max - min) * std::pow(t, parameter.law_gamma);
  if (t == 0) value = min;
  if (t == 1) value = max;
  return parameter.kind == Kind::integer ? std::round(value) : value;
}

double position_of(const Parameter& parameter, double value) {
  const auto [min, max] = parameter.slider;
  if (!(value > min) || !(max > min)) return 0;
  if (value >= max) return 1;
  const double t = (value - min) / (max - min);
  if (parameter.law == SliderLaw::logarithmic) return std::log(value / min) / std::log(max / min);
  if (parameter.law == SliderLaw::power) return std::pow(t, 1 / parameter.law_gamma);
  return t;
}

bool is_snake_case(std::string_view text) {
  if (text.empty() || !scan::is_lower(text.front()) || text.back() == '_') return false;
  if (text.find("__") != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return scan::is_lower(c) || scan::is_digit(c) || c == '_'; });
}

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "none";
    case Unit::px:
      return "px";
    case Unit::fraction:
      return "fraction";
    case Unit::degrees:
      return "degrees";
  }
  return "none";
}

std::string_view name_of(SliderLaw law) {
  switch (law) {
    case SliderLaw::linear:
      return "linear";
    case SliderLaw::logarithmic:
      return "logarithmic";
    case SliderLaw::power:
      return "power";
  }
  return "linear";
}

std::string_view name_of(ZoomLaw zoom) {
  switch (zoom) {
    case ZoomLaw::fixed:
      return "fixed";
    case ZoomLaw::scales_with_picture:
      return "scales_with_picture";
    case ZoomLaw::scales_inversely:
      return "scales_inversely";
  }
  return "fixed";
}

}  // namespace sfumato
