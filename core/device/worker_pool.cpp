// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/worker_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <system_error>

#include "image/vector_state.hpp"

namespace sfumato {
namespace {

// While it lives, threads that are started take no signals: those are for the host's own threads.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void WorkerPool::Job::work() {
  for (std::size_t part = next++; part < count; part = next++) {
    take(part);
    if (++done == count) done.notify_all();
  }
}

void WorkerPool::Job::take(std::size_t part) {
  if (failed) return;
  try {
    body(part);
  } catch (...) {
    if (!failed.exchange(true)) failure = std::current_exception();
  }
}

WorkerPool::WorkerPool(unsigned threads, int niceness)
    : threads_(std::max(1u, threads)), process_(::getpid()) {
  const WithoutSignals quiet;
  try {
    for (unsigned i = 1; i < threads_; ++i) {
      workers_.emplace_back([this, niceness] { serve(niceness); });
    }
  } catch (const std::system_error&) {
    // Fewer threads are there than wanted: those that started, and the one that calls, do the work.
  }
}

WorkerPool::~WorkerPool() {
  if (::getpid() != process_) {
    // The threads are the parent's.
    for (std::thread& worker : workers_) worker.detach();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count == 0) return;
  reset_vector_state();
  if (count == 1 || workers_.empty() || ::getpid() != process_) {
    for (std::size_t part = 0; part < count; ++part) body(part);
    return;
  }
  const auto job = std::make_shared<Job>(count, body);
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(job);
  }
  changed_.notify_all();
  job->work();
  for (std::size_t done = job->done; done < count; done = job->done) job->done.wait(done);
  if (job->failure) std::rethrow_exception(job->failure);
}

void WorkerPool::serve(int niceness) {
  reset_vector_state();
  // On Linux, niceness is of threads.
  if (niceness != 0) (void)::nice(niceness);
  while (const std::shared_ptr<Job> job = wait_for_job()) job->work();
}

// Null at the end.
std::shared_ptr<WorkerPool::Job> WorkerPool::wait_for_job() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    while (!jobs_.empty() && jobs_.front()->next >= jobs_.front()->count) jobs_.pop_front();
    if (!jobs_.empty()) return jobs_.front();
    changed_.wait(lock);
  }
  return nullptr;
}

}  // namespace sfumato
