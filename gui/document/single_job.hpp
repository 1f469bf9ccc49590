// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One long job at a time off the GUI thread.
#pragma once

#include <atomic>
#include <thread>
#include <utility>

namespace sfumato::gui {

/// A thread for a job that polls cancelled(). Owners call it from one thread.
class SingleJob {
 public:
  /// Cancels the running job and waits for it.
  ~SingleJob() {
    cancel();
    if (thread_.joinable()) thread_.join();
  }

  /// Returns false if a job is running. `work` must not throw, and calls done() before it reports
  /// its end.
  template <typename Work>
  bool start(Work work) {
    if (running_) return false;
    if (thread_.joinable()) thread_.join();
    cancelled_ = false;
    running_ = true;
    thread_ = std::thread(std::move(work));
    return true;
  }
  /// Called by the job: another one may be started.
  void done() { running_ = false; }
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }
  bool is_running() const { return running_; }

 private:
  std::atomic<bool> cancelled_ = false, running_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
