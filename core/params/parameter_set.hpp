// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The parameters of one filter in order, and a filter's values by name.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "params/parameter.hpp"
#include "params/value.hpp"

namespace sfumato {

/// A filter's parameters in display order. Immutable.
class ParameterSet {
 public:
  ParameterSet() = default;

  /// Throws std::logic_error for an invalid declaration, a repeated name, or a condition that names
  /// an unknown parameter or compares it with an impossible value.
  ParameterSet(std::initializer_list<Parameter> parameters);
  /// `filter` is the filter's id, for messages.
  ParameterSet(std::string filter, std::vector<Parameter> parameters);

  const std::string& filter() const { return filter_; }
  const std::vector<Parameter>& all() const { return parameters_; }
  std::size_t size() const { return parameters_.size(); }
  auto begin() const { return parameters_.begin(); }
  auto end() const { return parameters_.end(); }

  /// By name, accepting `-` for `_`; nullptr if there is none.
  const Parameter* find(std::string_view name) const;
  /// By name, accepting `-` for `_`; throws ParameterError with the nearest name if there is none.
  const Parameter& at(std::string_view name) const;

 private:
  void check() const;

  std::string filter_;
  std::vector<Parameter> parameters_;
};

/// Values by name, unchecked; complete() checks them.
class Values {
 public:
  Values() = default;

  /// Sets or replaces a value; accepts `-` for `_` in the name.
  void set(std::string_view name, Value value);
  void erase(std::string_view name);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Value* find(std::string_view name) const;

  /// Throws std::logic_error if the name is missing: a filter reads only parameters it declares.
  const Value& at(std::string_view name) const;

  /// The value as `T`, one of Value's alternatives: `values.get<double>("sigma")`. Throws
  /// std::logic_error if the name is missing or holds another kind.
  template <typename T>
  const T& get(std::string_view name) const {
    const T* value = std::get_if<T>(&at(name));
    if (!value) throw std::logic_error("value " + std::string(name) + " is of another kind");
    return *value;
  }

  /// A real or integer value as a double. Throws std::logic_error as get() does.
  double number(std::string_view name) const;
  /// The id of a choice. Throws std::logic_error as get() does.
  const std::string& choice(std::string_view name) const { return get<Choice>(name).id; }

  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  /// Iterates over (name, value) pairs in the order of names.
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  bool operator==(const Values&) const = default;

 private:
  std::map<std::string, Value, std::less<>> values_;
};

/// Every parameter with its default.
Values defaults(const ParameterSet& set);

/// Checks `given` and adds defaults for missing values. Whole numbers become reals, and reals
/// without a fraction become integers, as the parameter requires. Throws ParameterError for an
/// unknown name or a value that is not allowed.
Values complete(const ParameterSet& set, const Values& given);

/// Parses `text` for the parameter `name` (`-` for `_`) and sets it, as the command line does.
/// Throws ParameterError.
void set_text(Values& values, const ParameterSet& set, std::string_view name,
              std::string_view text);

/// The values for a picture shown at `zoom` (0.5: half size), by each parameter's zoom law and
/// clamped to the valid ranges. Integers are rounded, but never to 0, which often means
/// "automatic". Throws std::invalid_argument unless zoom is finite and above 0.
Values scaled(const ParameterSet& set, const Values& values, double zoom);

}  // namespace sfumato
