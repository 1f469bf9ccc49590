// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The core's texts in the user's language. A translation lies beside the text it translates, in a
// file de.json:
//   {"filter": {"Grayscale": "Graustufen"}, "choice": {...}, "text": {...}}
// whose sections are those of TextKind.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato {

/// The use of a text, since one English text may need different translations.
enum class TextKind {
  text,     ///< labels of parameters, categories, help sentences, preset names
  filter,   ///< labels of filters
  choice,   ///< labels of choices
  message,  ///< templates of messages; see text/message.hpp
};

/// One entry of a translation file.
struct Translation {
  TextKind kind = TextKind::text;
  std::string english, translated;
  std::string_view file;  ///< path in the source tree, such as "core/filters/median/de.json"
};

/// All texts of one language. Thread-safe; lives as long as the process.
class Translations {
 public:
  /// The translations for a locale name: "de", "de-AT", "de_CH.UTF-8". For a language without any,
  /// such as English, texts stay unchanged.
  static const Translations& of(std::string_view locale);

  /// The translation of `english`, or `english` itself. The result lives as long as `english` and
  /// the process.
  std::string_view operator()(std::string_view english, TextKind kind = TextKind::text) const;

  const std::vector<Translation>& all() const { return all_; }

 private:
  /// Reads the embedded files of `language`. Throws std::logic_error, naming the file, if one is
  /// malformed.
  explicit Translations(std::string_view language);

  std::vector<Translation> all_;
  std::map<std::pair<TextKind, std::string_view>, std::string_view> by_text_;  // views into all_
};

}  // namespace sfumato
