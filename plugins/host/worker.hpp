// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The worker's side: a session answers requests one after another.
#pragma once

#include "device/channel.hpp"

namespace sfumato::hosts {

/// Serves the host at the other end until it is gone or sends something that is not a message (it
/// receives the reason, then the socket closes). If the host goes, a running render is cancelled.
/// Never throws. Returns the program's exit status: 0 if the host went, 1 after a protocol error.
int serve(Descriptor socket);

}  // namespace sfumato::hosts
