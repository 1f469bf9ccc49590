// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the core says, in the user's language. A translation lies
// beside what it translates, in a file de.json:
//   {"filter": {"Grayscale": "Graustufen"}, "choice": {...}, "text": {...}}
// whose sections are those of TextKind.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato {

/// What a text is, since languages tell apart what has the same words in English.
enum class TextKind {
  text,     ///< labels of parameters, categories, sentences of help, names of presets
  filter,   ///< labels of filters
  choice,   ///< labels of choices
  message,  ///< templates of messages; see text/message.hpp
};

/// One entry of a file of translations.
struct Translation {
  TextKind kind = TextKind::text;
  std::string english, translated;
  std::string_view file;  ///< in the source tree, such as "core/filters/median/de.json"
};

/// All texts in one language. Any thread; lives as long as the process.
class Translations {
 public:
  /// Those of a language as a locale names it: "de", "de-AT", "de_CH.UTF-8". Where there are none,
  /// as for English, texts stay as they are.
  static const Translations& of(std::string_view locale);

  /// `english` in this language, or itself: lives as long as `english` and the process.
  std::string_view operator()(std::string_view english, TextKind kind = TextKind::text) const;

  const std::vector<Translation>& all() const { return all_; }

 private:
  /// Reads the embedded files of `language`. Throws std::logic_error, naming the file, where one is
  /// no JSON of that form.
  explicit Translations(std::string_view language);

  std::vector<Translation> all_;
  std::map<std::pair<TextKind, std::string_view>, std::string_view> by_text_;  // views into all_
};

}  // namespace sfumato
