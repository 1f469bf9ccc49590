// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Values with which a filter has an effect.
#pragma once

#include "filters/filter.hpp"
#include "params/errors.hpp"
#include "params/text.hpp"

namespace sfumato::testing {

/// The defaults, unless they change nothing: then all of the filter's own parameters that can be
/// changed are, numbers to a position on their slider.
inline Values busy_values(const Filter& filter) {
  const ParameterSet& set = filter.info().parameters;
  Values values = defaults(set);
  if (!filter.neutral(values)) return values;
  for (const Parameter& p : set) {
    if (p.name == "mix") continue;
    const Value before = values.at(p.name);
    if (p.kind == Kind::real) {
      values.set(p.name, value_at(p, 0.6));
    } else if (p.kind == Kind::integer) {
      values.set(p.name, static_cast<std::int64_t>(value_at(p, 0.6)));
    } else if (p.kind == Kind::curve) {
      values.set(p.name, parse(p, "0 0.1; 0.3 0.55; 0.7 0.5; 1 0.9"));
    } else if (p.kind == Kind::matrix) {
      values.set(p.name, parse(p, p.max_rows == 1 ? "1 2 -1" : "1 2 -1; 0 3 1; -2 0.5 0.25"));
    }
    try {
      filter.check(values);
    } catch (const ParameterError&) {
      values.set(p.name, before);
    }
  }
  return values;
}

}  // namespace sfumato::testing
