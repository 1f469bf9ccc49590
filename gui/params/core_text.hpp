// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the core says, in the user's language.
#pragma once

#include <QString>

#include "text/message.hpp"

namespace sfumato::gui {

/// A message as windows show it. Any thread.
QString core_text(const Message& message);

}  // namespace sfumato::gui
