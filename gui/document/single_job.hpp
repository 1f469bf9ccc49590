// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One long job at a time beside the GUI thread.
#pragma once

#include <atomic>
#include <thread>
#include <utility>

namespace sfumato::gui {

/// A thread for a job that looks at cancelled() now and then. Owners call it from one thread.
class SingleJob {
 public:
  /// Cancels what is in work and waits for it.
  ~SingleJob() {
    cancel();
    if (thread_.joinable()) thread_.join();
  }

  /// False: one is in work. `work` must not throw, and calls done() before it tells its end.
  template <typename Work>
  bool start(Work work) {
    if (running_) return false;
    if (thread_.joinable()) thread_.join();
    cancelled_ = false;
    running_ = true;
    thread_ = std::thread(std::move(work));
    return true;
  }
  /// By the job: another one may be started.
  void done() { running_ = false; }
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }
  bool is_running() const { return running_; }

 private:
  std::atomic<bool> cancelled_ = false, running_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
