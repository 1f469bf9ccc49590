// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Icons of the buttons below the stack.
#pragma once

#include <QIcon>

class QWidget;

namespace sfumato::gui {

enum class StepIcon { up, down, duplicate, remove };

/// A consistent set, independent of the desktop's icons: thin lines in the widget's text colour.
QIcon step_icon(StepIcon which, const QWidget& widget);

}  // namespace sfumato::gui
