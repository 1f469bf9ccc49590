// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "text/message.hpp"

#include <algorithm>

namespace sfumato {
namespace {

// The end of a passage for the terminal alone that begins at `at`: " (--option)" or a command.
std::size_t option_end(std::string_view text, std::size_t at) {
  const std::string_view left = text.substr(at);
  if (!left.starts_with(" (--") && !left.starts_with(" (`")) return at;
  const std::size_t end = text.find(')', at);
  return end == std::string_view::npos ? at : end + 1;
}

std::string without_options(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = option_end(text, at); end != at) {
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

// Fills in a template; `say` turns each value into text.
template <typename Say>
std::string filled(const Message& message, std::string_view text, Say&& say) {
  std::string out;
  walk_template(
      text, [&](std::string_view words) { out += words; },
      [&](std::string_view name) {
        if (const MessageValue* value = message.find(name)) out += say(*value);
      });
  return out;
}

}  // namespace

MessageValue::MessageValue(Message sentence)
    : sentence_(std::make_shared<const Message>(std::move(sentence))) {}

bool operator==(const MessageValue& a, const MessageValue& b) {
  if ((a.sentence() == nullptr) != (b.sentence() == nullptr)) return false;
  if (a.sentence() != nullptr) return *a.sentence() == *b.sentence();
  return a.text() == b.text() && a.label() == b.label();
}

const MessageValue* Message::find(std::string_view name) const {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const Named& v) { return v.name == name; });
  return found == values.end() ? nullptr : &found->value;
}

Message message_of(std::string_view id, std::string_view text, std::vector<MessageValue> values) {
  Message out{std::string(id), std::string(text), {}};
  std::size_t next = 0;
  walk_template(
      text, [](std::string_view) {},
      [&](std::string_view name) {
        if (out.find(name) != nullptr || next == values.size()) return;
        out.values.push_back({std::string(name), std::move(values[next++])});
      });
  return out;
}

Message foreign_message(std::string sentence) {
  return {{}, "{sentence}", {{"sentence", std::move(sentence)}}};
}

Message message_in(const std::exception& error) {
  const auto* ours = dynamic_cast<const MessageError*>(&error);
  return ours != nullptr ? ours->message() : foreign_message(error.what());
}

std::string in_english(const Message& message) {
  return filled(message, message.text, [](const MessageValue& value) {
    return value.sentence() != nullptr ? in_english(*value.sentence()) : value.text();
  });
}

std::vector<std::string> in_english(const std::vector<Message>& messages) {
  std::vector<std::string> out;
  for (const Message& message : messages) out.push_back(in_english(message));
  return out;
}

std::string in_words(const Message& message, const Translations& translations, Reader reader) {
  const std::string_view translated = translations(message.text, TextKind::message);
  const auto say = [&](const MessageValue& value) -> std::string {
    if (value.sentence() != nullptr) return in_words(*value.sentence(), translations, reader);
    if (reader == Reader::terminal || value.label().empty()) return value.text();
    return std::string(translations(value.label(), value.label_kind()));
  };
  if (reader == Reader::terminal) return filled(message, translated, say);
  return filled(message, without_options(translated), say);
}

}  // namespace sfumato
