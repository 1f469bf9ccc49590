// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What can be wrong with a batch before it starts.
#pragma once

#include "text/message.hpp"

namespace sfumato {

/// A batch that cannot be planned or run as asked. `what()` is a sentence for the user.
class BatchError : public MessageError {
 public:
  using MessageError::MessageError;
};

}  // namespace sfumato
