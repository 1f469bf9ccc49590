// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans and runs a batch off the GUI thread.
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
  BatchRequest request;  ///< `found` holds the rows of the list, in order
  BatchOptions options;
  /// Rows to produce; empty: all.
  std::set<int> only = {};
  /// Repeats what an earlier run has finished.
  bool ignore_history = false;
};

/// Progress of a run.
struct BatchProgress {
  int all = 0, ended = 0, failed = 0;
  double part = 0;        ///< 0..1, including files being processed
  double seconds = 0;     ///< excluding pauses
  double megapixels = 0;  ///< of finished files
  /// Estimated remaining seconds; negative if unknown.
  double left = -1;
};

/// One run at a time. Changes of files are collected and reported 20 times a second, however many
/// there are. Functions and signals: on this object's thread.
class BatchJob : public QObject {
  Q_OBJECT

 public:
  explicit BatchJob(QObject* parent = nullptr);
  /// Cancels the run and waits for it.
  ~BatchJob() override;

  /// Plans, then runs. Returns false if a run is active.
  bool start(BatchSettings settings);
  void pause(bool hold);
  void cancel();
  bool is_running() const { return running_; }
  bool is_paused() const { return paused_; }
  /// The active run, or the last one.
  bool was_cancelled();
  const BatchProgress& progress() const { return progress_; }

 Q_SIGNALS:
  /// Nothing was started: one sentence, and the existing outputs, one per line.
  void refused(const QString& sentence, const QStringList& clashes);
  /// The plan is made; `skipped` files are left out because they were finished before.
  void began(int files, int skipped);
  void changed(const std::vector<sfumato::gui::FileChange>& changes);
  void progressed(const sfumato::gui::BatchProgress& progress);
  /// A message from the engine, emitted once.
  void said(const QString& sentence);
  /// The end of a run that began; `fault`, if any, is one sentence on why it ended early.
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
  std::map<int, double> parts_;  // of files being processed, by row
  Stopwatch spent_;
  BatchRunner* runner_ = nullptr;  // while it runs
  bool hold_ = false, cancelled_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
