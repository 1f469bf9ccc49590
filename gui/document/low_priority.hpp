// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Threads for work that nobody waits for.
#pragma once

#include <sys/resource.h>

#include <QSemaphore>
#include <QThreadPool>
#include <memory>

namespace sfumato::gui {

/// Lowers the priority of this thread and of those it starts, permanently: on Linux, priority
/// belongs to threads.
inline void lower_priority() {
  setpriority(PRIO_PROCESS, 0, 15);
}

/// Call it before a low-priority thread works on images. Qt shares such work out to a pool whose
/// threads inherit the priority of whoever starts them, and windows wait for them when drawing.
/// This starts all of them beforehand, and they stay.
inline void start_drawing_threads() {
  static const bool started = [] {
    QThreadPool& pool = *QThreadPool::globalInstance();
    pool.setExpiryTimeout(-1);
    const auto go = std::make_shared<QSemaphore>();
    const int count = pool.maxThreadCount();
    for (int i = 0; i < count; ++i) pool.start([go] { go->acquire(); });
    go->release(count);
    return true;
  }();
  static_cast<void>(started);
}

}  // namespace sfumato::gui
