// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a comparison consists of: every combination of what was varied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "params/errors.hpp"
#include "params/parameter.hpp"
#include "params/recipe.hpp"

namespace sfumato {

/// One of the pictures that are compared, and what makes it.
struct Variant {
  std::string title;                ///< what distinguishes it from the others: "boxes, sigma 8"
  Recipe recipe;                    ///< without steps: the original
  std::string device = {};          ///< as RendererOptions::device
  std::optional<Form> form = {};    ///< as SessionOptions::form
  std::size_t column = 0, row = 0;  ///< its place in the grid
  std::optional<std::size_t> base = {};  ///< the variant that it is compared with
  std::string series = {};               ///< its title without that of the number
  std::optional<double> number = {};     ///< of the axis that has numbers
  bool left_out = false;                 ///< its values do not go together: it is not rendered
};

/// One way in which the variants differ.
struct Axis {
  struct Setting {
    std::string title;
    std::function<void(Variant&)> apply;
    std::optional<double> number = {};
  };
  std::string name;  ///< "method", "sigma"
  std::vector<Setting> settings;
  /// Variants that differ in this alone are compared with the first of them.
  bool has_base = false;
};

/// Values of a parameter of one step of the recipe; `name` is what users call it.
Axis value_axis(std::size_t step, const Parameter& parameter, const std::string& name,
                const std::vector<Value>& values);
/// Methods of a filter's step.
Axis method_axis(std::size_t step, const std::vector<std::string>& methods);

struct Grid {
  std::vector<Variant> variants;           ///< row by row
  std::vector<std::string> columns, rows;  ///< titles; a single row has none
  std::string number_name;  ///< of the last axis whose settings all have numbers, or empty
};

/// More are refused, as nobody can look at them.
inline constexpr std::size_t most_variants = 256;

/// How many variants the axes make.
std::uint64_t count_variants(const std::vector<Axis>& axes);

/// Every combination of the settings, applied to `common` in the order of the axes: settings of the
/// first axis with several lie side by side, those of the others below each other. Where an axis
/// has a base, each variant is compared with the first one along it. There are at most
/// most_variants.
Grid all_variants(const Variant& common, const std::vector<Axis>& axes);

/// Compares all others with one variant, and that one with nothing.
void compare_all_with(Grid& grid, std::size_t base);
/// Puts the original in front of all others.
void add_original(Grid& grid, const std::string& title);
/// Leaves out variants whose values do not go together; `refused` hears why, and may throw it.
/// Throws ParameterError if others are compared with such a variant, or if none is left.
void leave_out_refused(Grid& grid, const std::function<void(const ParameterError&)>& refused);

}  // namespace sfumato
