// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A JSON object as a value. Headers use it instead of the JSON library's type, which costs a second
// of compile time per file.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sfumato {

/// An object whose members keep their order, copied and compared by value; empty by default and
/// after a move.
class JsonObject {
 public:
  JsonObject();
  static JsonObject of(nlohmann::ordered_json object);
  JsonObject(const JsonObject& other);
  JsonObject(JsonObject&& other) noexcept;
  JsonObject& operator=(JsonObject other) noexcept;
  ~JsonObject();
  bool operator==(const JsonObject& other) const;

  bool empty() const;
  /// The string value of a member; nullopt if it is missing or not a string.
  std::optional<std::string> text(std::string_view name) const;
  void set_text(std::string_view name, std::string_view text);
  void erase(std::string_view name);

  /// The object itself, for callers that include the library.
  const nlohmann::ordered_json& json() const;
  nlohmann::ordered_json& json();

 private:
  std::unique_ptr<nlohmann::ordered_json> json_;  ///< null after a move, which means empty
};

}  // namespace sfumato
