// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The parameter model as GObject properties.
#pragma once

#include <glib-object.h>

#include <string>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato::gegl {

/// The filter's parameters that GEGL shows as properties: all but pictures, in the model's order.
std::vector<const Parameter*> shown_parameters(const FilterInfo& info);

/// The property's name: the parameter's with dashes, after the filter's where nodes of GEGL have a
/// property of that name themselves ("morphology-operation").
std::string property_name(const std::string& filter, const Parameter& parameter);

/// A property with the parameter's valid and slider range, law, step, unit, choices, default and
/// help. Gradients, curves and matrices are strings in the model's notation. `filter` makes the
/// names of choices' types unique.
GParamSpec* property_of(const std::string& filter, const Parameter& parameter);

/// A property's value for the model. Throws ParameterError for a string that does not say one.
Value from_gvalue(const Parameter& parameter, const GValue& from);

/// The model's value for a property of property_of().
void to_gvalue(const Parameter& parameter, const Value& from, GValue& to);

}  // namespace sfumato::gegl
