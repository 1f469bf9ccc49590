// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a run tells: its listener, its journal, and what it came to.
#pragma once

#include <atomic>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "batch/journal.hpp"
#include "batch/plan.hpp"
#include "batch/runner.hpp"
#include "io/movie.hpp"

namespace sfumato {

/// Any thread; the listener hears one thing at a time.
class RunReport {
 public:
  /// `journal` may be null. `on_failure` is called, on the thread that met it, when the journal
  /// cannot be written: the run's failure, which finish() throws. All must outlive this.
  RunReport(const BatchPlan& plan, Journal* journal, BatchListener& listener,
            std::function<void()> on_failure);

  bool is_kept() const { return journal_ != nullptr; }

  void say(const Message& sentence);
  void enter(const BatchItem& item, ItemStage stage);
  void progress(const BatchItem& item, double part);

  /// The journal's lines; see Journal.
  void begin(const BatchItem& item);
  void made(const BatchItem& item, const std::filesystem::path& temporary);
  /// The item's end, for the journal, the listener and the summary. Where `movies` complain of a
  /// movie, its last frame is told as failed.
  void end(const BatchItem& item, ItemResult result, Movies& movies);

  /// When all has ended; throws what the journal failed with.
  BatchSummary finish() const;

 private:
  void keep(const std::function<void(Journal&)>& action);
  void tell_damage(const BatchItem& item, ItemResult& result, Movies& movies);

  const BatchPlan& plan_;
  Journal* journal_;
  BatchListener& listener_;
  std::function<void()> on_failure_;
  std::map<std::filesystem::path, std::atomic<std::int64_t>> frames_left_;  // of whole movies
  std::mutex telling_;  // one listener's function at a time
  std::mutex mutex_;    // guards what follows
  std::exception_ptr failure_;
  BatchSummary summary_;
};

}  // namespace sfumato
