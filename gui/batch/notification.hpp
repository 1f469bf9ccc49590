// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Desktop notifications for users who are looking elsewhere.
#pragma once

#include <QString>

namespace sfumato::gui {

/// Shows a desktop notification (org.freedesktop.Notifications), if there is such a service.
/// Returns at once. GUI thread.
void notify_desktop(const QString& title, const QString& text);

}  // namespace sfumato::gui
