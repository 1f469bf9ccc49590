// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A JSON object as a value, for headers that do without the JSON library's own, which takes a
// second to compile in every file.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sfumato {

/// An object whose members keep their order, copied and compared by value; empty at first, and
/// again when it was moved from.
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
  /// The text of a member; nothing where there is none, or where it is no text.
  std::optional<std::string> text(std::string_view name) const;
  void set_text(std::string_view name, std::string_view text);
  void erase(std::string_view name);

  /// The object itself, for those who include the library.
  const nlohmann::ordered_json& json() const;
  nlohmann::ordered_json& json();

 private:
  std::unique_ptr<nlohmann::ordered_json> json_;  ///< null in what was moved from, which is empty
};

}  // namespace sfumato
