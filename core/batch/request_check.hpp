// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is asked of a batch, held against what can be done.
#pragma once

#include "batch/plan.hpp"

namespace sfumato {

/// Throws BatchError for a contradiction, and whatever the recipe's filters and the format say.
void check_request(const BatchRequest& request);

}  // namespace sfumato
