// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The screen's colour profile.
#pragma once

#include <QByteArray>

class QWidget;

namespace sfumato::gui {

/// The ICC profile of the screen that shows the widget, as published by X11 desktops; empty,
/// meaning sRGB, if there is none. GUI thread only.
QByteArray screen_profile_of(const QWidget* widget);

}  // namespace sfumato::gui
