// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The language of the program.
#pragma once

#include <QString>

#include "text/translations.hpp"

namespace sfumato::gui {

/// Installs `language` ("de"), or the desktop's preference if it is empty, for the program and Qt's
/// own dialogs; English if there is no translation. Call it once, before the first window.
void install_translations(const QString& language = {});

/// The core's texts on filters, parameters and presets, in the language installed last.
const Translations& translations();

}  // namespace sfumato::gui
