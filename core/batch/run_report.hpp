// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reports the events of a run to its listener and its journal, and sums them up.
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

/// Functions may be called from any thread; the listener's are called one at a time.
class RunReport {
 public:
  /// `journal` may be null. If it cannot be written, `on_failure` is called on the thread that
  /// wrote, and finish() throws the error. Plan, journal and listener must outlive this object.
  RunReport(const BatchPlan& plan, Journal* journal, BatchListener& listener,
            std::function<void()> on_failure);

  bool is_kept() const { return journal_ != nullptr; }

  void say(const Message& sentence);
  void enter(const BatchItem& item, ItemStage stage);
  void progress(const BatchItem& item, double part);

  /// The journal's lines; see Journal.
  void begin(const BatchItem& item);
  void made(const BatchItem& item, const std::filesystem::path& temporary);
  /// Reports the item's end to the journal, the listener and the summary. If `movies` has a
  /// complaint about a movie, the movie's last frame is reported as failed.
  void end(const BatchItem& item, ItemResult result, Movies& movies);

  /// To be called when all items have ended. Throws the journal's error, if there was one.
  BatchSummary finish() const;

 private:
  void keep(const std::function<void(Journal&)>& action);
  void tell_damage(const BatchItem& item, ItemResult& result, Movies& movies);

  const BatchPlan& plan_;
  Journal* journal_;
  BatchListener& listener_;
  std::function<void()> on_failure_;
  std::map<std::filesystem::path, std::atomic<std::int64_t>> frames_left_;  // by movie
  std::mutex telling_;                                                      // guards listener_
  std::mutex mutex_;                                                        // guards what follows
  std::exception_ptr failure_;
  BatchSummary summary_;
};

}  // namespace sfumato
