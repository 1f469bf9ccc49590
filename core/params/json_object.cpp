// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JSON objects as values.
#include "params/json_object.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace sfumato {

JsonObject::JsonObject()
    : json_(std::make_unique<nlohmann::ordered_json>(nlohmann::ordered_json::object())) {}
JsonObject::JsonObject(const JsonObject& other)
    : json_(std::make_unique<nlohmann::ordered_json>(
          other.json_ ? *other.json_ : nlohmann::ordered_json::object())) {}
JsonObject::JsonObject(JsonObject&& other) noexcept = default;  // allocates nothing
JsonObject::~JsonObject() = default;

JsonObject JsonObject::of(nlohmann::ordered_json object) {
  JsonObject made;
  *made.json_ = std::move(object);
  return made;
}

JsonObject& JsonObject::operator=(JsonObject other) noexcept {
  json_.swap(other.json_);
  return *this;
}

bool JsonObject::operator==(const JsonObject& other) const {
  return json() == other.json();
}

bool JsonObject::empty() const {
  return !json_ || json_->empty();
}

std::optional<std::string> JsonObject::text(std::string_view name) const {
  const auto found = json().find(std::string(name));
  if (found == json().end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

void JsonObject::set_text(std::string_view name, std::string_view text) {
  json()[std::string(name)] = std::string(text);
}

void JsonObject::erase(std::string_view name) {
  json().erase(std::string(name));
}

const nlohmann::ordered_json& JsonObject::json() const {
  static const nlohmann::ordered_json none = nlohmann::ordered_json::object();
  return json_ ? *json_ : none;
}

nlohmann::ordered_json& JsonObject::json() {
  if (!json_) json_ = std::make_unique<nlohmann::ordered_json>(nlohmann::ordered_json::object());
  return *json_;
}

}  // namespace sfumato
