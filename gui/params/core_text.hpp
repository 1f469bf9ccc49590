// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The core's messages in the user's language.
#pragma once

#include <QString>

#include "text/message.hpp"

namespace sfumato::gui {

/// A message as shown in windows. Thread-safe.
QString core_text(const Message& message);

}  // namespace sfumato::gui
