// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The model's texts in the language that the host speaks.
#pragma once

#include <string>

namespace sfumato::gegl {

/// The text itself where there is no translation. `what` ("filter", "choice") tells apart what has
/// the same words. Lives as long as `text` and the process.
const char* word(const std::string& text, const char* what = nullptr);

/// A sentence of ours or the core's, whatever values it has; one that is not known stays as it is.
std::string said(const std::string& sentence);

}  // namespace sfumato::gegl
