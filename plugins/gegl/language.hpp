// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts and messages in the host's language.
#pragma once

#include <string>

#include "text/message.hpp"

namespace sfumato::gegl {

/// The translation of a text of the registry, or the text itself. Lives as long as `text` and the
/// process.
const char* word(const std::string& text, TextKind kind = TextKind::text);

std::string said(const Message& message);

}  // namespace sfumato::gegl
