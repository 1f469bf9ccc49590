// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures for the buttons under the stack.
#pragma once

#include <QIcon>

class QWidget;

namespace sfumato::gui {

enum class StepIcon { up, down, duplicate, remove };

/// One family, whatever icons the desktop has: thin lines in the colour of the widget's text.
QIcon step_icon(StepIcon which, const QWidget& widget);

}  // namespace sfumato::gui
