// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Machine-readable descriptions of filters: the schema behind `sfumato filters --json` and the C
// interface.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "filters/filter.hpp"

namespace sfumato {

/// id, label, category, summary, description, formula, source, version, light, alpha, preview,
/// roles and parameters of one filter. The keys are stable.
nlohmann::ordered_json describe(const FilterInfo& info);

/// {"sfumato": format, "version": program, "filters": [...]}.
nlohmann::ordered_json describe_all();

std::string_view name_of(PreviewClass preview);
std::string_view name_of(Light light);

}  // namespace sfumato
