// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the core says, in the user's language.
#pragma once

#include <QString>
#include <string>

namespace sfumato::gui {

/// A sentence of the core's (an error, a warning) translated, its values kept as they are; one that
/// is not known stays as it is. Hints at options of the command line are left out. Any thread.
QString core_text(const QString& sentence);
QString core_text(const std::string& sentence);

}  // namespace sfumato::gui
