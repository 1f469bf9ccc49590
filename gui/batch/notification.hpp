// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A word of the desktop's to whoever looks elsewhere.
#pragma once

#include <QString>

namespace sfumato::gui {

/// Shows a notification as the desktop does (org.freedesktop.Notifications); nothing happens where
/// there is no such service. Returns at once. GUI thread.
void notify_desktop(const QString& title, const QString& text);

}  // namespace sfumato::gui
