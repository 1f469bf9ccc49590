// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Asks where to save.
#pragma once

#include <QString>

class QWidget;

namespace sfumato::gui {

/// A file name ending in `suffix`, chosen in a dialog; empty: none. Asks before returning the name
/// of an existing file, even if the user omitted the suffix.
QString choose_target(QWidget* parent, const QString& title, const QString& start,
                      const QString& filter, const QString& suffix);

}  // namespace sfumato::gui
