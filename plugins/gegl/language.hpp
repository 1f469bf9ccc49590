// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts and messages in the language that the host speaks.
#pragma once

#include <string>

#include "text/message.hpp"

namespace sfumato::gegl {

/// A text of the registry's, or itself. Lives as long as `text` and the process.
const char* word(const std::string& text, TextKind kind = TextKind::text);

std::string said(const Message& message);

}  // namespace sfumato::gegl
