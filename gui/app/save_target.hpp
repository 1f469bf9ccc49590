// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Asks where something is saved.
#pragma once

#include <QString>

class QWidget;

namespace sfumato::gui {

/// A file's name that ends in `suffix`, chosen in a dialog; empty: none. Asks before it returns the
/// name of a file that is there, whatever the user typed of it.
QString choose_target(QWidget* parent, const QString& title, const QString& start,
                      const QString& filter, const QString& suffix);

}  // namespace sfumato::gui
