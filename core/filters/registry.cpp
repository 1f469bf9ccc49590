// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The parameters common to all filters, and the registry.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "filters/filter.hpp"
#include "filters/registry.hpp"
#include "filters/registry_table.hpp"
#include "params/errors.hpp"
#include "params/refusals.hpp"
#include "params/suggest.hpp"
#include "params/vocabulary.hpp"

namespace sfumato {

const RoleInfo* FilterInfo::role(std::string_view parameter) const {
  const auto found = std::find_if(roles.begin(), roles.end(),
                                  [&](const RoleInfo& r) { return r.parameter == parameter; });
  return found != roles.end() ? &*found : nullptr;
}

bool FilterInfo::is_aligned(std::string_view parameter) const {
  const RoleInfo* own = role(parameter);
  return own == nullptr || own->aligned;
}

ParameterSet with_common(std::string id, std::vector<Parameter> own, Light light, bool border) {
  static constexpr const char* lights[] = {"linear", "display", "stored"};
  const bool has_border =
      std::any_of(own.begin(), own.end(), [](const Parameter& p) { return p.name == "border"; });
  if (border && !has_border) own.push_back(vocabulary("border"));
  own.push_back(vocabulary("light").with_default(lights[static_cast<int>(light)]));
  own.push_back(vocabulary("mask"));
  own.push_back(vocabulary("mix"));
  return {std::move(id), std::move(own)};
}

void refuse(const FilterInfo& info, std::string_view parameter, Message why) {
  throw ParameterError(ParameterError::Reason::not_allowed, std::string(parameter), std::move(why),
                       info.id);
}

MessageValue named(const FilterInfo& info, std::string_view parameter) {
  return named(info.parameters.at(parameter));
}

MessageValue named(const FilterInfo& info, std::string_view parameter, std::string_view choice) {
  return named(info.parameters.at(parameter), choice);
}

MessageValue named(const FilterInfo& info) {
  return {info.id, info.label, TextKind::filter};
}

Light light_of(const Values& values) {
  const std::string& name = values.choice("light");
  return name == "linear" ? Light::linear : name == "display" ? Light::display : Light::stored;
}

Border border_of(const Values& values) {
  return values.has("border") ? border_from_name(values.choice("border")).value() : Border::clamp;
}

const Registry& Registry::get() {
  static const Registry registry;
  return registry;
}

Registry::Registry() {
  for (const RegistryRow& row : registry_table()) {
    RegisteredFilter entry{row.make(), row.source};
    if (entry.filter->info().id != row.id) {
      throw std::logic_error("filter file " + std::string(row.id) + " calls itself " +
                             entry.filter->info().id);
    }
    filters_.push_back(std::move(entry));
  }
}

const RegisteredFilter* Registry::find(std::string_view id) const {
  std::string name(id);
  std::replace(name.begin(), name.end(), '-', '_');
  for (const RegisteredFilter& f : filters_) {
    if (f.filter->info().id == name) return &f;
  }
  return nullptr;
}

const RegisteredFilter& Registry::at(std::string_view id) const {
  if (const RegisteredFilter* found = find(id)) return *found;
  const std::string nearest = nearest_name(id, ids());
  throw ParameterError(ParameterError::Reason::unknown_name, std::string(id),
                       nearest.empty()
                           ? message({"filter.unknown",
                                      "there is no filter {filter} (`sfumato filters` lists them)"},
                                     in_quotes(id))
                           : message({"filter.unknown_but",
                                      "there is no filter {filter}; did you mean {nearest}? "
                                      "(`sfumato filters` lists them)"},
                                     in_quotes(id), in_quotes(nearest)));
}

const ParameterSet* Registry::parameters(std::string_view id) const {
  const RegisteredFilter* found = find(id);
  return found != nullptr && found->filter->info().id == id ? &found->filter->info().parameters
                                                            : nullptr;
}

int Registry::version(std::string_view id) const {
  return at(id).filter->info().version;
}

std::vector<std::string> Registry::ids() const {
  std::vector<std::string> out;
  for (const RegisteredFilter& f : filters_) out.push_back(f.filter->info().id);
  return out;
}

Migration Registry::migration(std::string_view id, int from) const {
  return at(id).filter->migration(from);
}

Recipe recipe_of(const FilterInfo& info, const Values& values) {
  Step step;
  step.filter = info.id;
  step.version = info.version;
  step.values = complete(info.parameters, values);
  Recipe recipe;
  recipe.steps.push_back(std::move(step));
  return recipe;
}

}  // namespace sfumato
