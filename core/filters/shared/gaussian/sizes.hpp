// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The tunable sizes of a Gaussian's passes.
#pragma once

#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/gaussian/plan.hpp"

namespace sfumato {

const std::vector<Tunable>& gaussian_tunables();

/// The sizes for this device, for `gaussian` and other filters that blur with its passes.
GaussianSizes gaussian_sizes(const Target& target);

}  // namespace sfumato
