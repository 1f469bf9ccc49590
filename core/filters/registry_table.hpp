// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The table that the build generates from the folders of filters and kernels.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "device/kernel_source.hpp"
#include "filters/filter.hpp"

namespace sfumato {

struct RegistryRow {
  std::string_view id;
  std::unique_ptr<Filter> (*make)();
  const kernels::Source* source;
};

std::span<const RegistryRow> registry_table();

}  // namespace sfumato
