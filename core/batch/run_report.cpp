// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "batch/run_report.hpp"

#include <utility>

namespace sfumato {

RunReport::RunReport(const BatchPlan& plan, Journal* journal, BatchListener& listener,
                     std::function<void()> on_failure)
    : plan_(plan), journal_(journal), listener_(listener), on_failure_(std::move(on_failure)) {
  for (const BatchItem& item : plan_.items) {
    if (item.source.movie) ++frames_left_[item.source.path];
  }
  // If the fault is an item of its own, that item reports it.
  for (const BatchItem& item : plan_.items) {
    if (!item.source.fault.empty()) frames_left_.erase(item.source.path);
  }
}

void RunReport::say(const Message& sentence) {
  const std::lock_guard lock(telling_);
  listener_.said(sentence);
}

void RunReport::enter(const BatchItem& item, ItemStage stage) {
  const std::lock_guard lock(telling_);
  listener_.entered(item, stage);
}

void RunReport::progress(const BatchItem& item, double part) {
  const std::lock_guard lock(telling_);
  listener_.progressed(item, part);
}

void RunReport::begin(const BatchItem& item) {
  keep([&](Journal& journal) { journal.begin(item, plan_.recipe_hash); });
}

void RunReport::made(const BatchItem& item, const std::filesystem::path& temporary) {
  keep([&](Journal& journal) { journal.made(item, plan_.recipe_hash, temporary); });
}

void RunReport::end(const BatchItem& item, ItemResult result, Movies& movies) {
  keep([&](Journal& journal) { journal.end(item, plan_.recipe_hash, result); });
  tell_damage(item, result, movies);
  {
    const std::lock_guard lock(telling_);
    listener_.ended(item, result);
  }
  const std::lock_guard lock(mutex_);
  if (result.state == ItemResult::State::done) {
    ++summary_.done;
    summary_.megapixels += result.megapixels;
  }
  if (result.state == ItemResult::State::failed) ++summary_.failed;
}

// A decoder that complains still yields pictures, and it is unknown which of them are wrong. So all
// are made, and the last one is reported as failed on behalf of all.
void RunReport::tell_damage(const BatchItem& item, ItemResult& result, Movies& movies) {
  const auto left = item.source.movie ? frames_left_.find(item.source.path) : frames_left_.end();
  if (left == frames_left_.end() || --left->second > 0) return;
  if (result.state != ItemResult::State::done) return;
  result.reason = movies.complaint(item.source.path);
  if (!result.reason.empty()) result.state = ItemResult::State::failed;
}

void RunReport::keep(const std::function<void(Journal&)>& action) {
  if (journal_ == nullptr) return;
  try {
    action(*journal_);
  } catch (const std::exception&) {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    on_failure_();
  }
}

BatchSummary RunReport::finish() const {
  if (failure_) std::rethrow_exception(failure_);
  BatchSummary summary = summary_;
  summary.cancelled = static_cast<std::int64_t>(plan_.items.size()) - summary.done - summary.failed;
  return summary;
}

}  // namespace sfumato
