// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A batch planned and run beside the GUI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "batch/batch_model.hpp"
#include "batch/plan.hpp"
#include "batch/runner.hpp"
#include "batch/stopwatch.hpp"

namespace sfumato::gui {

struct BatchSettings {
  BatchRequest request;  ///< `found` are the rows of the list, in their order
  BatchOptions options;
  /// Rows to be made; empty: all.
  std::set<int> only = {};
  /// What an earlier run has done is done again.
  bool afresh = false;
};

/// How far a run is.
struct BatchProgress {
  int all = 0, ended = 0, failed = 0;
  double part = 0;        ///< 0..1, with what is in work
  double seconds = 0;     ///< without those that it was held
  double megapixels = 0;  ///< of the files that are done
  /// Seconds that are left, by what the run has taken so far; below 0: not known yet.
  double left = -1;
};

/// One run at a time. News of files are collected and told 20 times a second, however many there
/// are. Functions and signals: on the thread of this object.
class BatchJob : public QObject {
  Q_OBJECT

 public:
  explicit BatchJob(QObject* parent = nullptr);
  /// Cancels the run and waits for it.
  ~BatchJob() override;

  /// Plans, then runs. False: a run is in work.
  bool start(BatchSettings settings);
  void pause(bool hold);
  void cancel();
  bool is_running() const { return running_; }
  bool is_paused() const { return paused_; }
  /// The run in work, or the last one.
  bool was_cancelled();
  const BatchProgress& progress() const { return progress_; }

 Q_SIGNALS:
  /// Nothing was started: one sentence, and outputs that are in the way, a line each.
  void refused(const QString& sentence, const QStringList& clashes);
  /// The plan is made; so many files are left out, since they were done before.
  void began(int files, int skipped);
  void changed(const std::vector<sfumato::gui::FileChange>& changes);
  void progressed(const sfumato::gui::BatchProgress& progress);
  /// What the engine says while it goes on, once.
  void said(const QString& sentence);
  /// The end of a run that began; `fault`: what ended it early, one sentence.
  void finished(const sfumato::BatchSummary& summary, const QString& fault);

 private:
  class Listener;
  class Reach;
  void work(const BatchSettings& settings);
  BatchPlan plan(const BatchSettings& settings, const Journal& journal) const;
  void run(const BatchSettings& settings, const BatchPlan& plan, Journal& journal);
  void tell();
  void measure();
  template <typename Body>
  void post(Body body);

  BatchProgress progress_;
  QTimer tick_;
  bool running_ = false, paused_ = false;
  std::mutex mutex_;                // guards what follows
  std::map<int, FileChange> news_;  // by row
  BatchProgress counted_;
  std::map<int, double> parts_;  // of what is in work, by row
  Stopwatch spent_;
  BatchRunner* runner_ = nullptr;  // while it runs
  bool hold_ = false, cancelled_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
