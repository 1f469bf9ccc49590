// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Threads for work that waits for disks and devices.
#include "document/background.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace sfumato::gui {

QThreadPool& background_pool() {
  // Never destroyed; work still running ends with the process.
  static QThreadPool* const pool = [] {
    auto* made = new QThreadPool;
    made->setMaxThreadCount(std::max(4, made->maxThreadCount()));
    qAddPostRoutine([] { background_pool().waitForDone(); });
    return made;
  }();
  return *pool;
}

}  // namespace sfumato::gui
