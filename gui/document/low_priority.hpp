// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Work that nobody waits for.
#pragma once

#include <sys/resource.h>

#include <QSemaphore>
#include <QThreadPool>
#include <memory>

namespace sfumato::gui {

/// Of this thread and those it starts: on Linux priorities belong to threads. For good.
inline void lower_priority() {
  setpriority(PRIO_PROCESS, 0, 15);
}

/// Before there is a thread of low priority that works on images: Qt shares these out to threads of
/// its own, which have the priority of whoever starts them, and windows wait for them when they
/// draw. All of them are started here, and stay.
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
