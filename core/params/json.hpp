// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Values and parameter declarations as JSON, for recipes, hosts and windows.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "params/parameter.hpp"
#include "params/parameter_set.hpp"
#include "params/value.hpp"

namespace sfumato {

/// real and integer: number; boolean: true or false; choice: string; color: [r, g, b, a]; gradient:
/// [{"position": p, "color": [r, g, b, a]}, ...]; curve: [[x, y], ...]; matrix: array of rows;
/// image: {"path": ..., "channels": ...}, or null if not bound. Every finite value round-trips
/// exactly. Throws ParameterError if the value is of another kind.
nlohmann::ordered_json to_json(const Parameter& parameter, const Value& value);

/// The inverse, checked. Choice, color, gradient, curve, matrix and image also accept a string, as
/// parse() reads it. Throws ParameterError.
Value from_json(const Parameter& parameter, const nlohmann::ordered_json& json);

/// Every parameter of the set, in order. Throws ParameterError if a value is not allowed.
nlohmann::ordered_json to_json(const ParameterSet& set, const Values& values);

/// Values by name; missing ones take their default. Throws ParameterError, which suggests the
/// nearest name for an unknown one.
Values from_json(const ParameterSet& set, const nlohmann::ordered_json& json);

/// Everything a window or host needs: name, label, help, kind, default; where they apply to the
/// kind, valid and slider as [min, max] (null: no limit), law, law_gamma, step, unit, zoom,
/// choices, max_rows, max_columns, odd_only; visible_if as text; changes_halo.
nlohmann::ordered_json schema(const Parameter& parameter);
/// The schemas of all parameters, in order.
nlohmann::ordered_json schema(const ParameterSet& set);

}  // namespace sfumato
