// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JSON objects as values.
#include "params/json_object.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace sfumato {

using Json = nlohmann::ordered_json;

JsonObject::JsonObject() : json_(std::make_unique<Json>(Json::object())) {}
JsonObject::JsonObject(Json object) : json_(std::make_unique<Json>(std::move(object))) {}
JsonObject::JsonObject(const JsonObject& other)
    : json_(std::make_unique<Json>(other.json_ ? *other.json_ : Json::object())) {}
JsonObject::JsonObject(JsonObject&& other) noexcept = default;
JsonObject::~JsonObject() = default;

JsonObject& JsonObject::operator=(JsonObject other) noexcept {
  json_.swap(other.json_);
  return *this;
}

bool JsonObject::operator==(const JsonObject& other) const { return *json_ == *other.json_; }

bool JsonObject::empty() const { return json_->empty(); }

std::optional<std::string> JsonObject::text(std::string_view name) const {
  const auto found = json_->find(std::string(name));
  if (found == json_->end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

void JsonObject::set_text(std::string_view name, std::string_view text) {
  (*json_)[std::string(name)] = std::string(text);
}

void JsonObject::erase(std::string_view name) { json_->erase(std::string(name)); }

}  // namespace sfumato
