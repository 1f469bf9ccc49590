// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What `sfumato compare` varies, from its words.
#pragma once

#include <string>
#include <vector>

#include "compare/variants.hpp"
#include "filters/filter.hpp"
#include "own_options.hpp"

namespace sfumato::cli {

/// The parts of a list "a,b,c", empty ones left out. Throws UsageError if there are none.
std::vector<std::string> parts_of(const std::string& option, const std::string& list);

/// The axis of a `--vary` word: "sigma=2,8,32", or "2.sigma=2,8,32" for the second step of a recipe
/// of several. Throws UsageError and ParameterError.
Axis varied_axis(const Recipe& recipe, const std::string& word);

/// The methods of a filter, the exact one first, or its default if none is; those that are
/// `wanted`, or all. Throws UsageError.
Axis method_axis(const FilterInfo& info, const std::optional<std::vector<std::string>>& wanted);

/// The recipe `named` by the word, and others beside it. Throws what read_recipe() throws.
Axis recipe_axis(const std::string& named, const std::vector<std::string>& others);

Axis device_axis(const std::vector<std::string>& devices);
/// "gpu" and "cpu". Throws UsageError for others.
Axis form_axis(const std::vector<std::string>& forms);

}  // namespace sfumato::cli
