// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JSON values as CBOR (RFC 8949), between processes that do not trust each other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sfumato {

std::string to_cbor(const nlohmann::ordered_json& value);

/// Throws nlohmann::json::exception for what is no CBOR, and for arrays and objects more than 32
/// levels within each other, or objects of more than 64 keys: the parser calls itself for each
/// level, and searches an object key by key.
nlohmann::ordered_json from_cbor(std::string_view bytes);

}  // namespace sfumato
