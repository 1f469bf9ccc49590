// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the engine tells its callers when it cannot go on.
#pragma once

#include "text/message.hpp"

namespace sfumato {

/// The request cannot be met: a role is missing or of another size, a picture is too large for the
/// memory there is. One sentence for the user.
class EngineError : public MessageError {
 public:
  using MessageError::MessageError;
};

}  // namespace sfumato
