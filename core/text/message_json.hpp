// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages as JSON, for other programs and for files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "text/message.hpp"

namespace sfumato {

/// {"id": "file.missing", "text": "{file}: there is ...", "values": {"file": "a.png"}} A value is a
/// string, {"message": {...}} for a sentence, or {"name": ..., "label": ..., "kind": ...} where
/// windows show another text than the terminal. Strings may be invalid UTF-8: dump with an error
/// handler.
nlohmann::ordered_json json_of(const Message& message);
nlohmann::ordered_json json_of(const std::vector<Message>& messages);

/// Reads such an object defensively: nullopt if it or its template is malformed.
std::optional<Message> message_of_json(const nlohmann::ordered_json& json);
std::optional<std::vector<Message>> messages_of_json(const nlohmann::ordered_json& json);

}  // namespace sfumato
