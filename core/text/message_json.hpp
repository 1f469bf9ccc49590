// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages on their way to other programs, and into files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "text/message.hpp"

namespace sfumato {

/// {"id": "file.missing", "text": "{file}: there is ...", "values": {"file": "a.png"}}
/// A value is a text; {"message": {...}} where it is a sentence; {"name": ..., "label": ...,
/// "kind": ...} where windows show another text than the terminal. Texts may be no UTF-8: dump with
/// a handler.
nlohmann::ordered_json json_of(const Message& message);
nlohmann::ordered_json json_of(const std::vector<Message>& messages);

/// Reads that with suspicion: nullopt where it is none, or its template is none.
std::optional<Message> message_of_json(const nlohmann::ordered_json& json);
std::optional<std::vector<Message>> messages_of_json(const nlohmann::ordered_json& json);

}  // namespace sfumato
