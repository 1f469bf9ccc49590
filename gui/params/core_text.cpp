// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "params/core_text.hpp"

#include "params/translation.hpp"

namespace sfumato::gui {

QString core_text(const Message& message) {
  return QString::fromStdString(in_words(message, translations(), Reader::window));
}

}  // namespace sfumato::gui
