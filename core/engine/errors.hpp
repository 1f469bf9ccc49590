// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Errors by which the engine reports that it cannot go on.
#pragma once

#include "text/message.hpp"

namespace sfumato {

/// The request cannot be met: a role is missing or has the wrong size, or the picture is too large
/// for the available memory. One sentence for the user.
class EngineError : public MessageError {
 public:
  using MessageError::MessageError;
};

}  // namespace sfumato
