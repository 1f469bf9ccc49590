// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The queues of items that wait for a stage, and the memory shared out among items in progress.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batch/budget.hpp"
#include "batch/picture_memory.hpp"
#include "batch/work.hpp"

namespace sfumato {

/// Decides what a thread does next. Items nearest to their end go first, so that memory is given
/// back before more is taken. Any thread, unless stated otherwise.
class WorkQueue {
 public:
  /// The stages of the pool; filtering has threads of its own.
  enum class Stage { probe, open, read, write };
  struct Task {
    Stage stage;
    WorkPtr work;
  };

  explicit WorkQueue(const BatchPlan& plan) : plan_(plan) {}

  /// Sets the bytes that all pictures together may take, and how many are filtered at once. To be
  /// called before any thread requests a task.
  void set_budget(std::size_t bytes, std::size_t devices);
  std::size_t limit() const { return budget_.limit(); }

  /// Waits for something to do; nullopt at the end.
  std::optional<Task> next_task();
  /// Waits for a picture to be filtered; null at the end.
  WorkPtr next_to_filter();

  /// The item has been looked at, and waits to be opened.
  void queue_for_opening(WorkPtr work);
  /// The item is open, holds `held` bytes, and will take `work->bytes` in all.
  void queue_for_reading(WorkPtr work, std::size_t held);
  void hand_to_filter(WorkPtr work);
  void queue_for_writing(WorkPtr work);
  /// The item has ended, and its Work is destroyed.
  void ended(const Work::Share& share);

  /// The item does not need these bytes any more.
  void release(Work& work, std::size_t bytes);
  /// Reuses memory of finished pictures, because fresh pages cost as much as a filter's pass.
  /// Memory kept for this counts as taken, and is freed when other pictures need the room.
  std::vector<char> memory_of(std::size_t bytes);
  void keep_memory(std::vector<char> memory);

  /// Items in progress are given up, and none are started.
  void cancel();
  bool cancelled() const { return cancelled_; }
  void pause(bool paused);

  /// The most bytes that were taken at once. To be called when all items have ended.
  std::size_t most_memory() const { return budget_.most(); }

 private:
  using Queue = std::deque<WorkPtr>;

  // All called with the lock held.
  std::optional<Task> find_task();
  Task task(Stage stage, Queue& from, Queue::iterator at);
  WorkPtr take(Queue& from, Queue::iterator at);
  void enqueue(Queue& to, WorkPtr work);
  void charge(Work::Share& share, std::size_t bytes);
  void settle(Work::Share& share);
  bool has_room(std::size_t bytes);
  std::optional<std::size_t> expected(const Work& work) const;
  bool may_open(const Work& work);
  Queue::iterator find_readable();
  bool all_started() const { return cancelled_ || next_ == plan_.items.size(); }
  bool is_idle() const;

  const BatchPlan& plan_;
  std::size_t devices_ = 1;
  std::atomic<bool> cancelled_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  Budget budget_{0};
  std::vector<std::vector<char>> spare_;
  std::size_t spare_bytes_ = 0;
  std::size_t next_ = 0;  // index in the plan's items
  int in_work_ = 0;       // items in a stage, not in a queue
  Queue to_open_, to_read_, to_filter_, to_write_;
  OpeningCosts costs_;
  int opening_ = 0;                // items that are being opened
  std::size_t opening_bytes_ = 0;  // that are reserved for them
  bool paused_ = false;
};

}  // namespace sfumato
