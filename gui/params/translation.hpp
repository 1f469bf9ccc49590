// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The language that the program speaks.
#pragma once

#include <QString>

#include "text/translations.hpp"

namespace sfumato::gui {

/// Lets the program and Qt's own dialogs speak `language` ("de"), or what the desktop prefers if it
/// is empty; English where there is no translation. Once, before the first window.
void install_translations(const QString& language = {});

/// What the core says of filters, parameters and presets, in the language that was installed last.
const Translations& translations();

}  // namespace sfumato::gui
