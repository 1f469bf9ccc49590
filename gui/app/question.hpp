// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A question before something is lost.
#pragma once

#include <QString>

class QWidget;

namespace sfumato::gui {

/// Asks in a window of its own; true: yes. "No" is what Return means. The text is shown as it is:
/// names of files and presets are no markup.
bool ask_before_loss(QWidget* parent, const QString& title, const QString& text);

}  // namespace sfumato::gui
