// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which colours the screen has.
#pragma once

#include <QByteArray>

class QWidget;

namespace sfumato::gui {

/// The ICC profile of the screen that shows the widget, as X11 desktops hand it out; empty where
/// none is told: sRGB then. GUI thread only.
QByteArray screen_profile_of(const QWidget* widget);

}  // namespace sfumato::gui
