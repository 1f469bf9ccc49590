// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// All filters by id, for hosts to loop over.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/kernel_source.hpp"
#include "filters/filter.hpp"
#include "params/recipe.hpp"

namespace sfumato {

struct RegisteredFilter {
  std::unique_ptr<Filter> filter;
  const kernels::Source* source;
};

/// The filters found by the build, in order of id. Created at first use, constant afterwards.
class Registry final : public FilterLookup {
 public:
  static const Registry& get();

  const std::vector<RegisteredFilter>& all() const { return filters_; }
  /// The filter with this id ('-' counts as '_'), or nullptr.
  const RegisteredFilter* find(std::string_view id) const;
  /// The same; throws ParameterError with the nearest id for an unknown one.
  const RegisteredFilter& at(std::string_view id) const;

  // FilterLookup, for recipes
  const ParameterSet* parameters(std::string_view id) const override;
  int version(std::string_view id) const override;
  std::vector<std::string> ids() const override;
  Migration migration(std::string_view id, int from) const override;

 private:
  Registry();
  std::vector<RegisteredFilter> filters_;
};

/// A recipe with one filter. Missing values take their default; throws ParameterError for values
/// that are unknown or not allowed.
Recipe recipe_of(const FilterInfo& info, const Values& values = {});

}  // namespace sfumato
