// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences for the user, kept as data until they are shown.
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

/// The value of a placeholder in a message: language-independent text (a number, path or id), or
/// another sentence.
class MessageValue {
 public:
  MessageValue(std::string text) : text_(std::move(text)) {}
  MessageValue(std::string_view text) : text_(text) {}
  MessageValue(const char* text) : text_(text) {}
  template <std::integral Number>
  MessageValue(Number number) : text_(std::to_string(number)) {}
  MessageValue(Message sentence);
  /// Something that the terminal calls by name, such as a parameter, and windows by a label, which
  /// is translated as a text of `kind`.
  MessageValue(std::string name, std::string label, TextKind kind)
      : text_(std::move(name)), label_(std::move(label)), kind_(kind) {}

  /// Empty for a sentence.
  const std::string& text() const { return text_; }
  /// nullptr for a text.
  const Message* sentence() const { return sentence_.get(); }
  /// Empty if windows show the text as well.
  const std::string& label() const { return label_; }
  TextKind label_kind() const { return kind_; }

  friend bool operator==(const MessageValue& a, const MessageValue& b);

 private:
  std::string text_, label_;
  TextKind kind_ = TextKind::text;
  std::shared_ptr<const Message> sentence_;
};

/// A sentence as data. Programs read the id and the values; people read the result of in_english()
/// or in_words().
struct Message {
  struct Named {
    std::string name;
    MessageValue value;
    bool operator==(const Named&) const = default;
  };

  std::string id;             ///< such as "file.missing"; stable across releases
  std::string text;           ///< the template: "{file}: there is no such file; check the name"
  std::vector<Named> values;  ///< in the order in which the template first names them

  /// Whether there is no message.
  bool empty() const { return text.empty(); }
  /// The value with this name, or nullptr.
  const MessageValue* find(std::string_view name) const;
  bool operator==(const Message&) const = default;
};

/// Walks through a template: calls `words(text)` for literal text and `place(name)` for each
/// {name}. {{ and }} stand for braces.
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

/// A template with `Count` distinct names, and its id. Only literals compile, so that no sentence
/// is assembled from pieces, and the number of names is checked.
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

/// Builds a message; `values` follow the order in which the template first names them. Ids and
/// texts of templates are literals in the inner braces, where the build collects them:
///   message({"file.missing", "{file}: there is no such file; check the name"}, path)
Message message_of(std::string_view id, std::string_view text, std::vector<MessageValue> values);

template <typename... Values>
Message message(std::type_identity_t<Template<sizeof...(Values)>> sentence, Values&&... values) {
  return message_of(sentence.id, sentence.text, {MessageValue(std::forward<Values>(values))...});
}

/// A sentence from elsewhere (the system, a library), without an id or a translation.
Message foreign_message(std::string sentence);

std::string in_english(const Message& message);
std::vector<std::string> in_english(const std::vector<Message>& messages);

/// The reader. A window omits what only concerns the terminal and stands in brackets: command-line
/// options, " (--overwrite)", and commands, " (`sfumato filters` lists them)".
enum class Reader { terminal, window };

/// The message in the language of `translations`, or in English if its template has no translation.
std::string in_words(const Message& message, const Translations& translations, Reader reader);

/// An error described by a message. `what()` is the message in English.
class MessageError : public std::runtime_error {
 public:
  explicit MessageError(Message message)
      : std::runtime_error(in_english(message)),
        message_(std::make_shared<const Message>(std::move(message))) {}

  const Message& message() const noexcept { return *message_; }

 private:
  std::shared_ptr<const Message> message_;  // shared, so that copying the exception cannot throw
};

/// The message of a MessageError, or the text of any other exception.
Message message_in(const std::exception& error);

}  // namespace sfumato
