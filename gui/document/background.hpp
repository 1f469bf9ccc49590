// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Work with files and devices off the GUI thread.
#pragma once

#include <QFutureWatcher>
#include <QThreadPool>
#include <QtConcurrentRun>
#include <type_traits>
#include <utility>

namespace sfumato::gui {

/// Not Qt's global pool, for which the GUI thread waits when it converts images.
QThreadPool& background_pool();

/// Runs `work` on a thread of background_pool(). `then` receives its result on the thread of
/// `context`, which is the caller's, unless that object is gone by then. `work` must not throw.
template <typename Work, typename Then>
void in_background(QObject* context, Work work, Then then) {
  using Result = std::invoke_result_t<Work>;
  auto* watcher = new QFutureWatcher<Result>(context);
  QObject::connect(watcher, &QFutureWatcherBase::finished, context,
                   [watcher, then = std::move(then)]() mutable {
                     watcher->deleteLater();
                     if constexpr (std::is_void_v<Result>) {
                       then();
                     } else {
                       then(watcher->result());
                     }
                   });
  watcher->setFuture(QtConcurrent::run(&background_pool(), std::move(work)));
}

}  // namespace sfumato::gui
