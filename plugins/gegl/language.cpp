// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Chooses the language as gettext does for the host's own texts.
#include "language.hpp"

#include <glib.h>

#include <clocale>
#include <string_view>

namespace sfumato::gegl {
namespace {

const Translations& chosen() {
  // A host without a translation for the user uses the locale C.
  const char* locale = std::setlocale(LC_MESSAGES, nullptr);
  const std::string_view name = locale != nullptr ? locale : "C";
  if (name == "C" || name == "POSIX") return Translations::of("en");
  for (const char* const* request = g_get_language_names(); *request != nullptr; ++request) {
    const std::string_view one = *request;
    const Translations& found = Translations::of(one);
    if (!found.all().empty() || one == "C" || one.starts_with("en")) return found;
  }
  return Translations::of("en");
}

const Translations& translations() {
  static const Translations& all = chosen();
  return all;
}

}  // namespace

std::string said(const Message& message) {
  return in_words(message, translations(), Reader::window);
}

// Both views end where their whole text ends, so they are zero-terminated.
const char* word(const std::string& text, TextKind kind) {
  return translations()(text, kind).data();
}

}  // namespace sfumato::gegl
