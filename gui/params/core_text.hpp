// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the core says, in the user's language.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "text/message.hpp"

namespace sfumato::gui {

/// A sentence of the core's (an error, a warning) translated, its values kept as they are; one that
/// is not known stays as it is. Names and options of the command line give way to labels. Any
/// thread.
QString core_text(const QString& sentence);
QString core_text(const std::string& sentence);
QString core_text(const Message& message);

/// A sentence with %1 to %9 for its values: as the core says it, and as core_text() gives it.
struct CoreSentence {
  QString said, shown;
};

/// Every sentence that core_text() knows, in the order in which it tries them.
std::vector<CoreSentence> core_sentences();

}  // namespace sfumato::gui
