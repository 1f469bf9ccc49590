// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "batch/work_queue.hpp"

#include <algorithm>
#include <utility>

namespace sfumato {
namespace {

// Pictures in one file take the same memory.
std::string kind_of(const BatchItem& item) {
  return item.source.is_numbered() ? item.source.path.string()
                                   : item.source.path.extension().string();
}

}  // namespace

void Work::warn(const Message& warning) {
  auto& warnings = result.warnings;
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
    warnings.push_back(warning);
  }
}

void WorkQueue::set_budget(std::size_t bytes, std::size_t devices) {
  budget_ = Budget(bytes);
  devices_ = devices;
}

bool WorkQueue::is_idle() const {
  return in_work_ == 0 && to_open_.empty() && to_read_.empty() && to_filter_.empty() &&
         to_write_.empty();
}

std::optional<WorkQueue::Task> WorkQueue::next_task() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (auto found = find_task()) return found;
    if (all_started() && is_idle()) {
      wake_.notify_all();
      return std::nullopt;
    }
    wake_.wait(lock);
  }
}

std::optional<WorkQueue::Task> WorkQueue::find_task() {
  if (!to_write_.empty()) return task(Stage::write, to_write_, to_write_.begin());
  const bool filters_wait = to_filter_.size() <= devices_;
  const auto readable = filters_wait || cancelled_ ? find_readable() : to_read_.end();
  if (readable != to_read_.end()) {
    Task found = task(Stage::read, to_read_, readable);
    charge(found.work->share, found.work->bytes);
    return found;
  }
  const bool begins = !paused_ && to_read_.empty() && filters_wait;
  if (!to_open_.empty() && (cancelled_ || (begins && may_open(*to_open_.front())))) {
    Task found = task(Stage::open, to_open_, to_open_.begin());
    Work::Share& share = found.work->share;
    charge(share, expected(*found.work).value_or(0));
    share.opening = true;
    share.opening_bytes = share.bytes;
    ++opening_;
    opening_bytes_ += share.opening_bytes;
    return found;
  }
  if (!all_started() && begins && to_open_.empty()) {
    auto work = std::make_unique<Work>();
    work->item = &plan_.items[next_++];
    ++in_work_;
    return Task{Stage::probe, std::move(work)};
  }
  return std::nullopt;
}

WorkPtr WorkQueue::next_to_filter() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return !to_filter_.empty() || (all_started() && is_idle()); });
  wake_.notify_all();  // there is room for the next to be read; or all has ended
  return to_filter_.empty() ? nullptr : take(to_filter_, to_filter_.begin());
}

WorkQueue::Task WorkQueue::task(Stage stage, Queue& from, Queue::iterator at) {
  return {stage, take(from, at)};
}

WorkPtr WorkQueue::take(Queue& from, Queue::iterator at) {
  WorkPtr work = std::move(*at);
  from.erase(at);
  ++in_work_;
  return work;
}

void WorkQueue::enqueue(Queue& to, WorkPtr work) {
  work->count_time();
  to.push_back(std::move(work));
  --in_work_;
  wake_.notify_all();
}

void WorkQueue::queue_for_opening(WorkPtr work) {
  const std::lock_guard lock(mutex_);
  enqueue(to_open_, std::move(work));
}

void WorkQueue::queue_for_reading(WorkPtr work, std::size_t held) {
  const std::lock_guard lock(mutex_);
  if (!work->opening) costs_.add_measurement(kind_of(*work->item), work->item->stamp.size, held);
  charge(work->share, held);
  settle(work->share);
  enqueue(to_read_, std::move(work));
}

void WorkQueue::hand_to_filter(WorkPtr work) {
  const std::lock_guard lock(mutex_);
  enqueue(to_filter_, std::move(work));
}

void WorkQueue::queue_for_writing(WorkPtr work) {
  const std::lock_guard lock(mutex_);
  enqueue(to_write_, std::move(work));
}

void WorkQueue::ended(const Work::Share& share) {
  const std::lock_guard lock(mutex_);
  Work::Share last = share;
  settle(last);
  budget_.give_back(last.bytes);
  --in_work_;
  wake_.notify_all();
}

void WorkQueue::release(Work& work, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  charge(work.share, work.share.bytes - std::min(bytes, work.share.bytes));
  wake_.notify_all();
}

// Changes an item's share of the budget to `bytes`.
void WorkQueue::charge(Work::Share& share, std::size_t bytes) {
  if (bytes > share.bytes) budget_.take(bytes - share.bytes);
  if (bytes < share.bytes) budget_.give_back(share.bytes - bytes);
  share.bytes = bytes;
}

// The item is not being opened any more.
void WorkQueue::settle(Work::Share& share) {
  if (!std::exchange(share.opening, false)) return;
  --opening_;
  opening_bytes_ -= share.opening_bytes;
}

std::vector<char> WorkQueue::memory_of(std::size_t bytes) {
  std::vector<char> memory;
  {
    const std::lock_guard lock(mutex_);
    const auto fits = [bytes](const std::vector<char>& spare) {
      return spare.capacity() >= bytes && spare.capacity() / 2 <= bytes;
    };
    const auto found = std::find_if(spare_.begin(), spare_.end(), fits);
    if (found != spare_.end()) {
      memory = std::move(*found);
      spare_.erase(found);
      spare_bytes_ -= memory.capacity();
    }
  }
  memory.resize(bytes);
  return memory;
}

void WorkQueue::keep_memory(std::vector<char> memory) {
  if (memory.empty()) return;
  const std::lock_guard lock(mutex_);
  spare_bytes_ += memory.capacity();
  spare_.push_back(std::move(memory));
}

bool WorkQueue::has_room(std::size_t bytes) {
  if (!budget_.fits(bytes)) return false;
  if (!budget_.fits(bytes + spare_bytes_) || bytes + spare_bytes_ > budget_.limit()) {
    spare_.clear();
    spare_bytes_ = 0;
  }
  return true;
}

// Bytes that opening this item will take; nullopt: unknown.
std::optional<std::size_t> WorkQueue::expected(const Work& work) const {
  return work.opening ? work.opening : costs_.expected(kind_of(*work.item), work.item->stamp.size);
}

// Items for which that is unknown are opened one at a time.
bool WorkQueue::may_open(const Work& work) {
  const auto bytes = expected(work);
  return bytes ? has_room(*bytes) : opening_ == 0;
}

// The first item that there is room for; or the first of all, if everything that has memory waits
// to be read.
WorkQueue::Queue::iterator WorkQueue::find_readable() {
  if (cancelled_ || to_read_.empty()) return to_read_.begin();
  const auto found = std::find_if(to_read_.begin(), to_read_.end(), [this](const WorkPtr& work) {
    return has_room(work->bytes - std::min(work->bytes, work->share.bytes));
  });
  std::size_t waiting = opening_bytes_;
  for (const WorkPtr& work : to_read_) waiting += work->share.bytes;
  return found == to_read_.end() && waiting >= budget_.used() ? to_read_.begin() : found;
}

void WorkQueue::cancel() {
  cancelled_ = true;
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
}

void WorkQueue::pause(bool paused) {
  const std::lock_guard lock(mutex_);
  paused_ = paused;
  wake_.notify_all();
}

}  // namespace sfumato
