// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The worker's side: requests answered by a session, one after another.
#pragma once

#include "host/channel.hpp"

namespace sfumato::hosts {

/// Serves the host at the other end until it is gone, or says what is no message (it is told why,
/// then the socket closes). A render in work is cancelled where its host goes. Never throws.
/// Returns the program's exit status: 0 where the host went, 1 where it was not understood.
int serve(Descriptor socket);

}  // namespace sfumato::hosts
