// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the core says, in the user's language.
#pragma once

#include <QString>
#include <QStringList>
#include <string>

namespace sfumato::gui {

/// A sentence of the core's (an error, a warning) translated, its values kept as they are; one that
/// is not known stays as it is. Names and options of the command line give way to labels. Any
/// thread.
QString core_text(const QString& sentence);
QString core_text(const std::string& sentence);

/// Every sentence that core_text() knows, as the core says it, with %1 to %9 for its values.
QStringList core_sentences();

}  // namespace sfumato::gui
