// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "text/message_json.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sfumato {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest_sentence = 8;
constexpr std::array kind_names = {"text", "filter", "choice", "message"};  // as in TextKind

Json json_of_value(const MessageValue& value) {
  if (value.sentence() != nullptr) return {{"message", json_of(*value.sentence())}};
  if (value.label().empty()) return value.text();
  return {{"name", value.text()},
          {"label", value.label()},
          {"kind", kind_names[static_cast<std::size_t>(value.label_kind())]}};
}

std::optional<std::string> text_at(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool is_template(const std::string& text) {
  try {
    walk_template(
        text, [](std::string_view) {}, [](std::string_view) {});
  } catch (const std::logic_error&) {
    return false;
  }
  return true;
}

std::optional<Message> message_within(const Json& json, int depth);

std::optional<MessageValue> value_within(const Json& json, int depth) {
  if (json.is_string()) return MessageValue(json.get<std::string>());
  if (!json.is_object()) return std::nullopt;
  if (const auto sentence = json.find("message"); sentence != json.end()) {
    auto read = message_within(*sentence, depth + 1);
    if (!read) return std::nullopt;
    return MessageValue(std::move(*read));
  }
  auto name = text_at(json, "name"), label = text_at(json, "label"), kind = text_at(json, "kind");
  if (!name || !label || !kind) return std::nullopt;
  const auto known = std::find(kind_names.begin(), kind_names.end(), *kind);
  if (known == kind_names.end()) return std::nullopt;
  return MessageValue(std::move(*name), std::move(*label),
                      static_cast<TextKind>(known - kind_names.begin()));
}

std::optional<Message> message_within(const Json& json, int depth) {
  if (!json.is_object() || depth > deepest_sentence) return std::nullopt;
  auto id = text_at(json, "id"), text = text_at(json, "text");
  const auto values = json.find("values");
  if (!id || !text || !is_template(*text) || values == json.end() || !values->is_object()) {
    return std::nullopt;
  }
  Message out{std::move(*id), std::move(*text), {}};
  for (const auto& [name, value] : values->items()) {
    auto read = value_within(value, depth);
    if (!read) return std::nullopt;
    out.values.push_back({name, std::move(*read)});
  }
  return out;
}

}  // namespace

nlohmann::ordered_json json_of(const Message& message) {
  Json values = Json::object();
  for (const Message::Named& one : message.values) values[one.name] = json_of_value(one.value);
  return {{"id", message.id}, {"text", message.text}, {"values", std::move(values)}};
}

nlohmann::ordered_json json_of(const std::vector<Message>& messages) {
  Json out = Json::array();
  for (const Message& message : messages) out.push_back(json_of(message));
  return out;
}

std::optional<Message> message_of_json(const nlohmann::ordered_json& json) {
  return message_within(json, 0);
}

std::optional<std::vector<Message>> messages_of_json(const nlohmann::ordered_json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<Message> out;
  for (const Json& one : json) {
    auto read = message_of_json(one);
    if (!read) return std::nullopt;
    out.push_back(std::move(*read));
  }
  return out;
}

}  // namespace sfumato
