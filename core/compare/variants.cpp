// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/variants.hpp"

#include <algorithm>

#include "filters/registry.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

using Choices = std::vector<std::size_t>;  // the number of a setting for each axis

// The next combination, the first axis changing fastest; false after the last one.
bool advance(Choices& choices, const std::vector<Axis>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (++choices[i] < axes[i].settings.size()) return true;
    choices[i] = 0;
  }
  return false;
}

std::optional<double> number_of(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ", " + b;
}

std::optional<std::size_t> axis_of_numbers(const std::vector<Axis>& axes) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& settings = axes[i].settings;
    const bool numbers = settings.size() > 1 &&
                         std::all_of(settings.begin(), settings.end(),
                                     [](const Axis::Setting& s) { return s.number.has_value(); });
    if (numbers) found = i;
  }
  return found;
}

Variant variant_of(const Variant& common, const std::vector<Axis>& axes, const Choices& choices,
                   std::optional<std::size_t> numbers) {
  Variant out = common;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Axis::Setting& setting = axes[i].settings[choices[i]];
    setting.apply(out);
    if (axes[i].settings.size() < 2) continue;
    out.title = joined(out.title, setting.title);
    if (i != numbers) out.series = joined(out.series, setting.title);
  }
  if (numbers) out.number = axes[*numbers].settings[choices[*numbers]].number;
  return out;
}

// The choices of what a variant is compared with; empty: nothing.
Choices base_of(Choices choices, const std::vector<Axis>& axes) {
  const auto based =
      std::find_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.has_base; });
  if (based == axes.end()) return {};
  choices[static_cast<std::size_t>(based - axes.begin())] = 0;
  return choices;
}

}  // namespace

Axis value_axis(std::size_t step, const Parameter& parameter, const std::string& name,
                const std::vector<Value>& values) {
  Axis axis{parameter.name, {}};
  for (const Value& value : values) {
    axis.settings.push_back({name + " " + print(parameter, value),
                             [step, id = parameter.name, value](Variant& v) {
                               v.recipe.steps[step].values.set(id, value);
                             },
                             number_of(value)});
  }
  return axis;
}

Axis method_axis(std::size_t step, const std::vector<std::string>& methods) {
  Axis axis{"method", {}, true};
  for (const std::string& name : methods) {
    axis.settings.push_back({name, [step, name](Variant& v) {
                               v.recipe.steps[step].values.set("method", Choice(name));
                             }});
  }
  return axis;
}

std::uint64_t count_variants(const std::vector<Axis>& axes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;  // a product of two fits
  std::uint64_t count = 1;
  for (const Axis& axis : axes) {
    count = std::min(most, count) * std::min<std::uint64_t>(most >> 20, axis.settings.size());
  }
  return count;
}

Grid all_variants(const Variant& common, const std::vector<Axis>& given) {
  // What lies side by side comes first.
  std::vector<Axis> axes = given;
  std::stable_partition(axes.begin(), axes.end(),
                        [](const Axis& axis) { return axis.settings.size() > 1; });
  Grid grid;
  const std::optional<std::size_t> numbers = axis_of_numbers(axes);
  if (numbers) grid.number_name = axes[*numbers].name;
  std::vector<Choices> all;
  Choices choices(axes.size(), 0);
  do {
    all.push_back(choices);
  } while (advance(choices, axes));

  const std::size_t columns = axes.empty() ? 1 : axes.front().settings.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Variant variant = variant_of(common, axes, all[i], numbers);
    variant.column = i % columns;
    variant.row = i / columns;
    const auto base = std::find(all.begin(), all.end(), base_of(all[i], axes));
    const auto number = static_cast<std::size_t>(base - all.begin());
    if (base != all.end() && number != i) variant.base = number;
    if (variant.row == 0 && !axes.empty()) {
      grid.columns.push_back(axes.front().settings[variant.column].title);
    }
    if (variant.column == 0 && all.size() > columns) {
      std::string title;
      for (std::size_t a = 1; a < axes.size(); ++a) {
        if (axes[a].settings.size() > 1) title = joined(title, axes[a].settings[all[i][a]].title);
      }
      grid.rows.push_back(title);
    }
    grid.variants.push_back(std::move(variant));
  }
  if (grid.columns.empty()) grid.columns.push_back(common.title);
  return grid;
}

void compare_all_with(Grid& grid, std::size_t base) {
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    grid.variants[i].base = i == base ? std::nullopt : std::optional(base);
  }
}

void add_original(Grid& grid, const std::string& title) {
  for (Variant& variant : grid.variants) {
    ++variant.column;
    if (variant.base) ++*variant.base;
  }
  grid.columns.insert(grid.columns.begin(), title);
  Variant original;
  original.title = original.series = title;
  grid.variants.insert(grid.variants.begin(), original);
}

void leave_out_refused(Grid& grid, const std::function<void(const ParameterError&)>& refused) {
  std::size_t left = grid.variants.size();
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    try {
      for (const Step& step : grid.variants[i].recipe.steps) {
        if (step.enabled) Registry::get().at(step.filter).filter->check(step.values);
      }
    } catch (const ParameterError& error) {
      const bool is_base = std::any_of(grid.variants.begin(), grid.variants.end(),
                                       [i](const Variant& v) { return v.base == i; });
      if (is_base || --left == 0) throw;
      refused(error);
      grid.variants[i].left_out = true;
    }
  }
}

}  // namespace sfumato
