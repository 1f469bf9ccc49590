// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The JSON description of filters.
#include "filters/describe.hpp"

#include <nlohmann/json.hpp>

#include "filters/registry.hpp"
#include "params/json.hpp"

namespace sfumato {

std::string_view name_of(PreviewClass preview) {
  switch (preview) {
    case PreviewClass::exact:
      return "exact";
    case PreviewClass::approximate:
      return "approximate";
    case PreviewClass::full_scale_only:
      return "full_scale_only";
  }
  return "";
}

std::string_view name_of(Light light) {
  return light == Light::linear ? "linear" : light == Light::display ? "display" : "stored";
}

nlohmann::ordered_json describe(const FilterInfo& info) {
  nlohmann::ordered_json roles = nlohmann::ordered_json::array();
  for (const RoleInfo& role : info.roles) {
    roles.push_back({{"parameter", role.parameter},
                     {"channels", role.channels == 4 ? 3 : role.channels},
                     {"data", role.data},
                     {"aligned", role.aligned},
                     {"required", role.required}});
  }
  return {{"id", info.id},
          {"label", info.label},
          {"category", info.category},
          {"summary", info.summary},
          {"description", info.description},
          {"formula", info.formula},
          {"source", info.source},
          {"version", info.version},
          {"light", name_of(info.light)},
          {"alpha", info.alpha == AlphaPreference::premultiplied ? "premultiplied" : "straight"},
          {"preview", name_of(info.preview)},
          {"exact_method", info.exact_method},
          {"roles", roles},
          {"parameters", schema(info.parameters)}};
}

nlohmann::ordered_json describe_all() {
  nlohmann::ordered_json filters = nlohmann::ordered_json::array();
  for (const RegisteredFilter& f : Registry::get().all()) {
    filters.push_back(describe(f.filter->info()));
  }
  return {{"sfumato", recipe_format}, {"version", SFUMATO_VERSION}, {"filters", filters}};
}

}  // namespace sfumato
