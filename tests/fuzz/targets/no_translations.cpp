// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Targets speak English; the build embeds no other texts in them.
#include "text/translation_files.hpp"

std::span<const sfumato::TranslationFile> sfumato::translation_files() {
  return {};
}
