// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Translation files embedded by the build.
#pragma once

#include <span>
#include <string_view>

namespace sfumato {

struct TranslationFile {
  std::string_view language;  ///< such as "de"
  std::string_view name;      ///< path in the source tree, such as "core/filters/median/de.json"
  const char* begin;
  const char* end;

  std::string_view text() const { return {begin, end}; }
};

std::span<const TranslationFile> translation_files();

}  // namespace sfumato
