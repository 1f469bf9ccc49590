// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "text/translations.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "text/translation_files.hpp"

namespace sfumato {
namespace {

constexpr std::pair<const char*, TextKind> sections[] = {{"text", TextKind::text},
                                                         {"filter", TextKind::filter},
                                                         {"choice", TextKind::choice},
                                                         {"message", TextKind::message}};

std::string_view language_of(std::string_view locale) {
  return locale.substr(0, locale.find_first_of("_-.@"));
}

std::vector<Translation> translations_in(const TranslationFile& file) {
  const nlohmann::json json = nlohmann::json::parse(file.text());
  std::vector<Translation> out;
  for (const auto& [name, kind] : sections) {
    if (!json.contains(name)) continue;
    for (const auto& [english, translated] : json.at(name).items()) {
      out.push_back({kind, english, translated.get<std::string>(), file.name});
    }
  }
  return out;
}

}  // namespace

Translations::Translations(std::string_view language) {
  for (const TranslationFile& file : translation_files()) {
    if (file.language != language) continue;
    try {
      for (Translation& t : translations_in(file)) all_.push_back(std::move(t));
    } catch (const nlohmann::json::exception& error) {
      throw std::logic_error(std::string(file.name) + ": " + error.what());
    }
  }
  for (const Translation& t : all_) {
    by_text_.emplace(std::pair<TextKind, std::string_view>(t.kind, t.english), t.translated);
  }
}

const Translations& Translations::of(std::string_view locale) {
  static const Translations german("de"), none("");
  return language_of(locale) == "de" ? german : none;
}

std::string_view Translations::operator()(std::string_view english, TextKind kind) const {
  const auto found = by_text_.find({kind, english});
  return found == by_text_.end() ? english : found->second;
}

}  // namespace sfumato
