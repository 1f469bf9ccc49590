// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The parameter model as GObject properties.
#pragma once

#include <glib-object.h>

#include <string>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato::gegl {

/// The filter's parameters that become properties: all except pictures, in the model's order.
std::vector<const Parameter*> shown_parameters(const FilterInfo& info);

/// The property's name: the parameter's with dashes, prefixed by the filter's if GEGL's nodes have
/// a property of that name ("morphology-operation").
std::string property_name(const std::string& filter, const Parameter& parameter);

/// A property with the parameter's valid and slider range, law, step, unit, choices, default and
/// help. Gradients, curves and matrices are strings in the model's notation. `filter` makes the
/// type names of choices unique.
GParamSpec* property_of(const std::string& filter, const Parameter& parameter);

/// Converts a property's value to the model's. Throws ParameterError for a malformed string.
Value from_gvalue(const Parameter& parameter, const GValue& from);

/// Converts the model's value to a property made by property_of().
void to_gvalue(const Parameter& parameter, const Value& from, GValue& to);

}  // namespace sfumato::gegl
