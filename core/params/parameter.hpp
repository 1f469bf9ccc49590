// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One parameter of a filter as data: kind, default, ranges, unit, zoom law, visibility.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "params/condition.hpp"
#include "params/value.hpp"

namespace sfumato {

/// The unit of a number. A fraction is relative to the full value range unless the help says
/// otherwise.
enum class Unit { none, px, fraction, degrees };

/// How slider positions map to values.
enum class SliderLaw { linear, logarithmic, power };

/// How a value follows the zoom of a preview so that the picture looks the same.
enum class ZoomLaw {
  fixed,                ///< unchanged at every zoom
  scales_with_picture,  ///< a length, multiplied by the zoom
  scales_inversely      ///< a frequency, divided by the zoom
};

/// A closed interval. A valid range may be infinite; a slider range may not.
struct Range {
  double min = 0, max = 1;

  bool contains(double value) const { return value >= min && value <= max; }
  bool contains(const Range& other) const { return other.min >= min && other.max <= max; }
  bool operator==(const Range&) const = default;
};

/// One option of a choice. The id is stable; input ignores letter case and takes `-` for `_`.
struct ChoiceOption {
  std::string id, label, help;
  bool operator==(const ChoiceOption&) const = default;
};

/// A declaration. Build one with a factory or vocabulary() and narrow it with the `with_`
/// functions, each of which returns a changed copy and throws std::logic_error if the result would
/// be invalid. validate(), called by ParameterSet, finds faults of the complete declaration, such
/// as a default outside a range narrowed later.
struct Parameter {
  std::string name;   ///< stable, snake_case
  std::string label;  ///< shown to the user, e.g. "Sigma"
  std::string help;   ///< one sentence
  Kind kind = Kind::real;
  Value default_value = 0.0;

  /// Hard limits: of a number, of each component (color, gradient), of x and y (curve), of each
  /// weight (matrix). Other kinds ignore it.
  Range valid;
  Range slider;  ///< the slider's range, within `valid`; numbers only
  SliderLaw law = SliderLaw::linear;
  double law_gamma = 1;  ///< for SliderLaw::power: value = min + (max - min) * position^gamma
  double step = 0;       ///< one press of an arrow key, in the value's unit; 0: no natural step
  Unit unit = Unit::none;
  ZoomLaw zoom = ZoomLaw::fixed;

  std::vector<ChoiceOption> choices;
  Condition visible_if;
  bool changes_halo = false;

  int max_rows = 0, max_columns = 0;  ///< matrix only
  bool odd_only = false;              ///< matrix only: rows and columns must be odd

  // Factories. Numbers take the valid range, which is also the slider's until with_slider().
  static Parameter real(std::string_view name, std::string_view label, std::string_view help,
                        double default_value, Range valid);
  static Parameter integer(std::string_view name, std::string_view label, std::string_view help,
                           std::int64_t default_value, Range valid);
  static Parameter boolean(std::string_view name, std::string_view label, std::string_view help,
                           bool default_value);
  /// The first choice is the default. Without choices the parameter is open: with_choices() fills
  /// it.
  static Parameter choice(std::string_view name, std::string_view label, std::string_view help,
                          std::vector<ChoiceOption> choices = {});
  static Parameter color(std::string_view name, std::string_view label, std::string_view help,
                         Color default_value, Range valid = {0, 1});
  static Parameter gradient(std::string_view name, std::string_view label, std::string_view help,
                            Gradient default_value, Range valid = {0, 1});
  static Parameter curve(std::string_view name, std::string_view label, std::string_view help,
                         Curve default_value, Range valid = {0, 1});
  /// Unbounded weights, `max_rows` x `max_columns` at most.
  static Parameter matrix(std::string_view name, std::string_view label, std::string_view help,
                          Matrix default_value, int max_rows, int max_columns, bool odd_only);
  static Parameter image(std::string_view name, std::string_view label, std::string_view help);

  /// Reals accept whole numbers (`with_default(2)`).
  Parameter with_default(Value value) const;
  template <std::integral T>  // without it a literal 0 would be a null text
  requires(!std::same_as<T, bool>) Parameter with_default(T whole)
  const { return with_default(Value(static_cast<std::int64_t>(whole))); }
  /// The default as text, as on the command line: choices, colours, matrices...
  Parameter with_default(const char* text) const;
  /// Narrows the valid range and, with it, the slider. A default outside it must be replaced next.
  Parameter with_valid(Range range) const;
  Parameter with_slider(Range range) const;
  /// `gamma` is for SliderLaw::power; a logarithmic slider must start above 0.
  Parameter with_law(SliderLaw slider_law, double gamma = 1) const;
  Parameter with_step(double size) const;
  Parameter with_unit(Unit what) const;
  Parameter with_zoom(ZoomLaw how) const;
  /// Fills an open choice, or restricts known options to a subset (by id), optionally with new
  /// labels. If the old default is gone, the first option becomes the default.
  Parameter with_choices(std::vector<ChoiceOption> options) const;
  /// Keeps only the options with these ids, in this order.
  Parameter only_choices(const std::vector<std::string>& ids) const;
  /// Refers to other parameters of the same filter by name; see Condition.
  Parameter visible_when(std::string_view condition) const;
  Parameter with_halo(bool changes) const;
  Parameter with_limits(int rows, int columns, bool odd) const;
  Parameter with_label(std::string_view text) const;
  Parameter with_help(std::string_view text) const;
  /// An integer word redeclared as real (box's `radius`).
  Parameter as_real() const;

  /// Throws std::logic_error, naming the parameter, if the declaration as a whole is inconsistent.
  void validate() const;

  /// The option with this id, or nullptr.
  const ChoiceOption* find_choice(std::string_view id) const;
};

/// The value at slider position 0..1; integers are rounded.
double value_at(const Parameter& parameter, double position);

/// The slider position 0..1 of a value; values beyond the slider clamp to its ends.
double position_of(const Parameter& parameter, double value);

/// Whether the text is snake_case: a lower-case letter, then letters, digits and single `_`.
bool is_snake_case(std::string_view text);

/// Stable names for schemas and help.
std::string_view name_of(Unit unit);
std::string_view name_of(SliderLaw law);
std::string_view name_of(ZoomLaw zoom);

}  // namespace sfumato
