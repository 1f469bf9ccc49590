// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What can be wrong with a batch before it starts.
#pragma once

#include <stdexcept>

namespace sfumato {

/// A batch that cannot be planned or run as asked. `what()` is a sentence for the user.
class BatchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sfumato
