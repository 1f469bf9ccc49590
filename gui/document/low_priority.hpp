// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Work that nobody waits for.
#pragma once

#include <sys/resource.h>

namespace sfumato::gui {

/// Of this thread and those it starts: on Linux priorities belong to threads. For good.
inline void lower_priority() {
  setpriority(PRIO_PROCESS, 0, 15);
}

}  // namespace sfumato::gui
