// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences for the user, as data until someone reads them.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/translations.hpp"

namespace sfumato {

struct Message;

/// What stands for a name in a message: a text that no language changes (a number, a path, an id),
/// or a sentence of its own.
class MessageValue {
 public:
  MessageValue(std::string text) : text_(std::move(text)) {}
  MessageValue(std::string_view text) : text_(text) {}
  MessageValue(const char* text) : text_(text) {}
  template <std::integral Number>
  MessageValue(Number number) : text_(std::to_string(number)) {}
  MessageValue(Message sentence);
  /// What the terminal calls by a name, such as a parameter, and a window by a label, which is
  /// translated as a text of that kind.
  MessageValue(std::string name, std::string label, TextKind kind)
      : text_(std::move(name)), label_(std::move(label)), kind_(kind) {}

  /// Empty where it is a sentence.
  const std::string& text() const { return text_; }
  /// nullptr where it is a text.
  const Message* sentence() const { return sentence_.get(); }
  /// Empty where a window shows the text too.
  const std::string& label() const { return label_; }
  TextKind label_kind() const { return kind_; }

  friend bool operator==(const MessageValue& a, const MessageValue& b);

 private:
  std::string text_, label_;
  TextKind kind_ = TextKind::text;
  std::shared_ptr<const Message> sentence_;
};

/// A sentence: what it is, and what it is about. Programs read the id and the values; people read
/// what in_english() or in_words() makes of them.
struct Message {
  struct Named {
    std::string name;
    MessageValue value;
    bool operator==(const Named&) const = default;
  };

  std::string id;             ///< such as "file.missing"; stays the same from release to release
  std::string text;           ///< the template: "{file}: there is no such file; check the name"
  std::vector<Named> values;  ///< in the order in which the template names them first

  /// Whether nothing is said.
  bool empty() const { return text.empty(); }
  /// The value of that name, or nullptr.
  const MessageValue* find(std::string_view name) const;
  bool operator==(const Message&) const = default;
};

/// The places of a template, one after the other: calls `words(text)` for what stands as it is and
/// `place(name)` for each {name}. {{ and }} are braces.
template <typename Words, typename Place>
constexpr void walk_template(std::string_view text, Words&& words, Place&& place) {
  while (!text.empty()) {
    const std::size_t at = text.find_first_of("{}");
    if (at == std::string_view::npos) return words(text);
    if (at + 1 < text.size() && text[at + 1] == text[at]) {
      words(text.substr(0, at + 1));
      text.remove_prefix(at + 2);
      continue;
    }
    if (at > 0) words(text.substr(0, at));
    const std::size_t end = text.find('}', at);
    if (text[at] == '}' || end == std::string_view::npos) {
      throw std::logic_error("a brace in a template has no counterpart");
    }
    place(text.substr(at + 1, end - at - 1));
    text.remove_prefix(end + 1);
  }
}

/// A template with `Count` different names, and its id. Made of literals alone: a sentence that is
/// put together from pieces does not compile, nor does one with another number of names.
template <std::size_t Count>
struct Template {
  consteval Template(const char* its_id, const char* its_text) : id(its_id), text(its_text) {
    std::string_view names[Count + 1] = {};
    std::size_t found = 0;
    walk_template(
        text, [](std::string_view) {},
        [&](std::string_view name) {
          for (std::size_t i = 0; i < found; ++i) {
            if (names[i] == name) return;
          }
          if (found == Count) throw std::logic_error("a template has more names than values");
          names[found++] = name;
        });
    if (found != Count) throw std::logic_error("a template has fewer names than values");
  }

  const char* id;
  std::string_view text;
};

/// The message of that id and text, `values` in the order in which the template names them first.
/// Texts and ids of templates stand in the brackets as literals, where the build collects them:
///   message({"file.missing", "{file}: there is no such file; check the name"}, path)
Message message_of(std::string_view id, std::string_view text, std::vector<MessageValue> values);

template <typename... Values>
Message message(std::type_identity_t<Template<sizeof...(Values)>> sentence, Values&&... values) {
  return message_of(sentence.id, sentence.text, {MessageValue(std::forward<Values>(values))...});
}

/// A sentence of others (the system's, a library's), which has no id and no translation.
Message foreign_message(std::string sentence);

std::string in_english(const Message& message);
std::vector<std::string> in_english(const std::vector<Message>& messages);

/// Who reads: a window does not show what is meant for the terminal alone, which stands in
/// brackets: options of the command line, " (--overwrite)", and commands, " (`sfumato filters`
/// lists them)".
enum class Reader { terminal, window };

/// In the language of `translations`; where a template has no translation, in English.
std::string in_words(const Message& message, const Translations& translations, Reader reader);

/// An error that a message explains. `what()` is the message in English.
class MessageError : public std::runtime_error {
 public:
  explicit MessageError(Message message)
      : std::runtime_error(in_english(message)),
        message_(std::make_shared<const Message>(std::move(message))) {}

  const Message& message() const noexcept { return *message_; }

 private:
  std::shared_ptr<const Message> message_;  // an exception is copied without throwing
};

/// The message of a MessageError; of any other exception its words.
Message message_in(const std::exception& error);

}  // namespace sfumato
