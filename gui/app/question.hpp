// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Asks before something is lost.
#pragma once

#include <QString>

class QWidget;

namespace sfumato::gui {

/// Asks in a modal window; true: yes. Return means "no". The text is plain: file and preset names
/// are not markup.
bool ask_before_loss(QWidget* parent, const QString& title, const QString& text);

}  // namespace sfumato::gui
