// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The values that may follow an option, for completion.
#pragma once

#include <string>
#include <vector>

#include "batch/completion_writer.hpp"
#include "commands.hpp"
#include "filters/filter.hpp"

namespace sfumato::cli {

void offer_filters(const CompletionWriter& offers);

/// Completes the values of an option of `set` (may be null), of rendering or of `own`. False
/// if the option is a switch or unknown.
bool offer_values(const CompletionWriter& offers, const std::string& option,
                  const ParameterSet* set, const std::vector<OptionHelp>& own);
/// Whether the option takes a value.
bool takes_value(const std::string& option, const ParameterSet* set,
                 const std::vector<OptionHelp>& own);

}  // namespace sfumato::cli
