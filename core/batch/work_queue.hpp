// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What waits for which stage, and the memory that is shared out among what is in work.
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

/// Says what a thread does next. What is nearest to its end goes first, so that memory is given
/// back before more is taken. Any thread, unless it is said otherwise.
class WorkQueue {
 public:
  /// The stages of the pool; filtering has threads of its own.
  enum class Stage { look_at, open, read, write };
  struct Task {
    Stage stage;
    WorkPtr work;
  };

  explicit WorkQueue(const BatchPlan& plan) : plan_(plan) {}

  /// Bytes that pictures may take together, and how many of them are filtered at once. Before any
  /// thread asks for a task.
  void share_out(std::size_t bytes, std::size_t devices);
  std::size_t limit() const { return budget_.limit(); }

  /// Waits for something to do; nullopt at the end.
  std::optional<Task> next_task();
  /// Waits for a picture to be filtered; null at the end.
  WorkPtr next_to_filter();

  /// An item that has been looked at goes on to be opened.
  void hand_to_open(WorkPtr work);
  /// It is open, holds so many bytes and will take `work->bytes`.
  void hand_to_read(WorkPtr work, std::size_t held);
  void hand_to_filter(WorkPtr work);
  void hand_to_write(WorkPtr work);
  /// It has ended, and is no more.
  void ended(const Work::Share& share);

  /// Bytes of the item's that are not needed any more.
  void release(Work& work, std::size_t bytes);
  /// Memory of pictures that are done, for the next ones: fresh pages cost as much as a filter's
  /// pass. It counts as taken, and goes when its room is wanted.
  std::vector<char> memory_of(std::size_t bytes);
  void keep_memory(std::vector<char> memory);

  /// What is in work is to be given up; nothing new is started.
  void cancel();
  bool cancelled() const { return cancelled_; }
  void pause(bool paused);

  /// The most that was taken at once, in bytes. When all has ended.
  std::size_t most_memory() const { return budget_.most(); }

 private:
  using Queue = std::deque<WorkPtr>;

  // All under the lock.
  std::optional<Task> find_task();
  Task task(Stage stage, Queue& from, Queue::iterator at);
  WorkPtr take(Queue& from, Queue::iterator at);
  void hand_on(Queue& to, WorkPtr work);
  void charge(Work::Share& share, std::size_t bytes);
  void settle(Work::Share& share);
  bool has_room(std::size_t bytes);
  std::optional<std::size_t> expected(const Work& work) const;
  bool may_open(const Work& work);
  Queue::iterator find_readable();
  bool all_started() const { return cancelled_ || next_ == plan_.items.size(); }
  bool none_in_work() const;

  const BatchPlan& plan_;
  std::size_t devices_ = 1;
  std::atomic<bool> cancelled_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  Budget budget_{0};
  std::vector<std::vector<char>> spare_;
  std::size_t spare_bytes_ = 0;
  std::size_t next_ = 0;  // of the plan's items
  int in_work_ = 0;       // in a stage, in no queue
  Queue to_open_, to_read_, to_filter_, to_write_;
  OpeningCosts costs_;
  int opening_ = 0;                // items that are being opened
  std::size_t opening_bytes_ = 0;  // that they have of the budget
  bool paused_ = false;
};

}  // namespace sfumato
