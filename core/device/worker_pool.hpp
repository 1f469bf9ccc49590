// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Threads that wait for work, shared by all who compute on processors.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace sfumato {

/// Runs the parts of a job on several threads, in order of their numbers. Any thread may call it,
/// several at once. Idle threads sleep. After a fork, the child's jobs run on the thread that
/// calls.
class WorkerPool {
 public:
  /// `threads` counts the one that calls run(); 0 is taken as 1. `niceness` is added to that of the
  /// others.
  explicit WorkerPool(unsigned threads, int niceness = 0);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return threads_; }

  /// Calls body(part) once for each 0 <= part < count, and returns when all calls have returned; it
  /// does not wait for threads that came too late. If a call throws, parts not yet begun are left
  /// out, and the first exception is thrown here.
  void run(std::size_t count, const std::function<void(std::size_t part)>& body);

 private:
  struct Job {
    Job(std::size_t all, const std::function<void(std::size_t)>& each) : count(all), body(each) {}

    const std::size_t count;
    const std::function<void(std::size_t)>& body;  // valid while a part is left
    std::atomic<std::size_t> next{0}, done{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;  // of the first that set `failed`

    // Takes parts until none is left.
    void work();
    void take(std::size_t part);
  };
  void serve(int niceness);
  std::shared_ptr<Job> wait_for_job();

  const unsigned threads_;
  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> jobs_;  // those that may have parts left
  bool ended_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace sfumato
