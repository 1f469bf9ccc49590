// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Checks a batch request before any file is read.
#pragma once

#include "batch/plan.hpp"

namespace sfumato {

/// Throws BatchError for a contradictory request, and whatever the checks of the recipe's filters
/// and of the output format throw.
void check_request(const BatchRequest& request);

}  // namespace sfumato
