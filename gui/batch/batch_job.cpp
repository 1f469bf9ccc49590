// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The runner's listener on one side, a timer on the other.
#include "batch/batch_job.hpp"

#include <optional>
#include <utility>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "params/core_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int between_news = 50;        // ms
constexpr double enough_to_tell = 1.5;  // seconds after which the remaining time can be estimated

FileState state_of(ItemStage stage) {
  switch (stage) {
    case ItemStage::reading:
      return FileState::reading;
    case ItemStage::filtering:
      return FileState::filtering;
    default:
      return FileState::writing;
  }
}

FileState state_of(ItemResult::State state) {
  switch (state) {
    case ItemResult::State::done:
      return FileState::done;
    case ItemResult::State::failed:
      return FileState::failed;
    default:
      return FileState::cancelled;
  }
}

int row_of(const BatchItem& item) {
  return static_cast<int>(item.number) - 1;
}

}  // namespace

// Collects the runner's reports, which come from its threads.
class BatchJob::Listener final : public BatchListener {
 public:
  Listener(BatchJob& job, int all) : job_(job) {
    const std::lock_guard lock(job_.mutex_);
    job_.counted_.all = all;
    job_.parts_.clear();
    job_.spent_ = {};
    job_.measure();
  }

  void entered(const BatchItem& item, ItemStage stage) override {
    const std::lock_guard lock(job_.mutex_);
    job_.parts_[row_of(item)] = 0;
    job_.measure();
    tell(row_of(item), state_of(stage), 0);
  }

  void progressed(const BatchItem& item, double part) override {
    const std::lock_guard lock(job_.mutex_);
    job_.parts_[row_of(item)] = part;
    tell(row_of(item), FileState::filtering, part);
    count();
  }

  void ended(const BatchItem& item, const ItemResult& result) override {
    const std::lock_guard lock(job_.mutex_);
    job_.parts_.erase(row_of(item));
    job_.measure();
    FileChange& change = tell(row_of(item), state_of(result.state), 0);
    if (result.state == ItemResult::State::done) {
      change.output = shown_path(item.target);
    } else {
      change.reason = core_text(result.reason);
    }
    if (result.state == ItemResult::State::cancelled) return;
    ++job_.counted_.ended;
    if (result.state == ItemResult::State::failed) {
      ++job_.counted_.failed;
    } else {
      job_.counted_.megapixels += result.megapixels;
    }
    count();
  }

  // For an aborted run.
  BatchSummary summary(std::int64_t items) const {
    const std::lock_guard lock(job_.mutex_);
    BatchSummary sum;
    sum.failed = job_.counted_.failed;
    sum.done = job_.counted_.ended - sum.failed;
    sum.cancelled = items - job_.counted_.ended;
    sum.seconds = job_.counted_.seconds;
    sum.megapixels = job_.counted_.megapixels;
    return sum;
  }

  void said(const Message& sentence) override {
    job_.post([&job = job_, text = core_text(sentence)] { Q_EMIT job.said(text); });
  }

 private:
  FileChange& tell(int row, FileState state, double part) {
    FileChange& change = job_.news_[row];
    change = {row, state, part, {}, {}};
    return change;
  }

  void count() {
    BatchProgress& counted = job_.counted_;
    double parts = counted.ended;
    for (const auto& [row, part] : job_.parts_) parts += part;
    counted.part = counted.all > 0 ? parts / counted.all : 1;
    counted.seconds = job_.spent_.seconds(Stopwatch::Clock::now());
    counted.left = counted.seconds < enough_to_tell || counted.part <= 0
                       ? -1
                       : counted.seconds / counted.part * (1 - counted.part);
  }

  BatchJob& job_;
};

// While it lives, pause() and cancel() reach the runner.
class BatchJob::Reach {
 public:
  Reach(BatchJob& job, BatchRunner& runner) : job_(job) {
    const std::lock_guard lock(job_.mutex_);
    job_.runner_ = &runner;
    runner.pause(job_.hold_);
    if (job_.cancelled_) runner.cancel();
  }
  ~Reach() {
    const std::lock_guard lock(job_.mutex_);
    job_.runner_ = nullptr;
  }
  Reach(const Reach&) = delete;
  Reach& operator=(const Reach&) = delete;

 private:
  BatchJob& job_;
};

BatchJob::BatchJob(QObject* parent) : QObject(parent) {
  tick_.setInterval(between_news);
  connect(&tick_, &QTimer::timeout, this, &BatchJob::tell);
}

BatchJob::~BatchJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

// Runs on this object's thread, after everything posted before.
template <typename Body>
void BatchJob::post(Body body) {
  QMetaObject::invokeMethod(this, std::move(body), Qt::QueuedConnection);
}

// A paused run still finishes what it has started. Called with the lock held.
void BatchJob::measure() {
  spent_.run(!hold_ || !parts_.empty(), Stopwatch::Clock::now());
}

bool BatchJob::start(BatchSettings settings) {
  if (running_) return false;
  if (thread_.joinable()) thread_.join();
  running_ = true;
  paused_ = false;
  cancelled_ = false;
  hold_ = false;
  news_.clear();
  counted_ = {};
  progress_ = {};
  thread_ = std::thread([this, settings = std::move(settings)] { work(settings); });
  tick_.start();
  return true;
}

void BatchJob::pause(bool hold) {
  if (!running_) return;
  paused_ = hold;
  const std::lock_guard lock(mutex_);
  hold_ = hold;
  measure();
  if (runner_ != nullptr) runner_->pause(hold);
}

void BatchJob::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (runner_ != nullptr) runner_->cancel();
}

bool BatchJob::was_cancelled() {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

BatchPlan BatchJob::plan(const BatchSettings& settings, const Journal& journal) const {
  const HistoryLookup recall = [&](const BatchItem& item, const std::string& hash) {
    PriorResult earlier = journal.recall(item, hash);
    // Its output is ours and may be replaced.
    if (settings.ignore_history && earlier.state == PriorResult::State::done)
      earlier.state = PriorResult::State::started;
    return earlier;
  };
  const BatchPlan all = plan_batch(settings.request, recall);
  if (settings.only.empty()) return all;
  return part_of(all,
                 [&](const BatchItem& item) { return settings.only.count(row_of(item)) != 0; });
}

void BatchJob::work(const BatchSettings& settings) {
  const auto refuse = [this](const QString& sentence, const QStringList& clashes) {
    post([this, sentence, clashes] {
      running_ = false;
      tick_.stop();
      Q_EMIT refused(sentence, clashes);
    });
  };
  try {
    JournalOptions options;
    options.given_up = [this] { return was_cancelled(); };
    std::optional<Journal> journal;
    BatchPlan made;
    // If another batch has run in between, the plan is made again.
    do {
      journal.emplace(settings.request.folder, settings.request.shard, settings.request.shards,
                      options);
      made = plan(settings, *journal);
    } while (!made.items.empty() && !journal->hold());
    journal->sweep();
    run(settings, made, *journal);
  } catch (const ClashError& error) {
    QStringList lines;
    for (const Message& clash : error.clashes()) lines << core_text(clash);
    refuse(fault_of(error), lines);
  } catch (const std::exception& error) {
    refuse(fault_of(error), {});
  }
}

void BatchJob::run(const BatchSettings& settings, const BatchPlan& plan, Journal& journal) {
  post([this, files = static_cast<int>(plan.items.size()),
        skipped = static_cast<int>(plan.skipped.size() + plan.for_roles.size())] {
    Q_EMIT began(files, skipped);
  });
  {
    const std::lock_guard lock(mutex_);
    for (const BatchItem& item : plan.skipped) {
      news_[row_of(item)] = {row_of(item), FileState::skipped, 0,
                             tr("%1 is there already").arg(shown_path(item.target)),
                             shown_path(item.target)};
    }
    for (const BatchItem& item : plan.for_roles) {
      news_[row_of(item)] = {
          row_of(item), FileState::skipped, 0, tr("It is there for another picture"), {}};
    }
  }
  for (const Message& warning : plan.warnings) {
    post([this, text = core_text(warning)] { Q_EMIT said(text); });
  }
  BatchSummary summary;
  QString fault;
  Listener listener(*this, static_cast<int>(plan.items.size()));
  try {
    BatchRunner runner(plan, settings.request.recipe, settings.options, &journal, listener);
    const Reach reach(*this, runner);
    summary = runner.run();
  } catch (const std::exception& error) {
    fault = fault_of(error);
    summary = listener.summary(std::ssize(plan.items));
  }
  post([this, summary, fault] {
    tell();
    tick_.stop();
    running_ = false;
    paused_ = false;
    Q_EMIT finished(summary, fault);
  });
}

void BatchJob::tell() {
  std::vector<FileChange> changes;
  {
    const std::lock_guard lock(mutex_);
    changes.reserve(news_.size());
    for (auto& [row, change] : news_) changes.push_back(std::move(change));
    news_.clear();
    progress_ = counted_;
  }
  if (changes.empty()) return;
  Q_EMIT changed(changes);
  Q_EMIT progressed(progress_);
}

}  // namespace sfumato::gui
