// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The batch window's runs without a window: counts and waits.
#include <sys/file.h>

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <chrono>
#include <future>

#include "batch/batch_folder.hpp"
#include "batch/batch_job.hpp"
#include "batch/journal.hpp"
#include "batch/stopwatch.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 60000;

}  // namespace

class TestBatchJob : public BatchFolderTest {
  Q_OBJECT

  BatchSettings settings() const {
    BatchSettings out;
    out.request = request();
    out.options.session.device = "reference";
    return out;
  }
  void pictures(int count) const {
    const std::string grey(60 * 40, 'x');
    for (int i = 0; i < count; ++i) {
      make("in/" + std::to_string(i) + ".pgm", "P5\n60 40\n255\n" + grey);
    }
  }
  // Another program's lock on the output folder, until it is closed.
  std::unique_ptr<QFile> hold_folder() const {
    auto journal =
        std::make_unique<QFile>(QString::fromStdString(make("out/sfumato-batch.jsonl", "")));
    const bool held =
        journal->open(QIODevice::ReadOnly) && ::flock(journal->handle(), LOCK_EX) == 0;
    return held ? std::move(journal) : nullptr;
  }
  static BatchSummary finish(BatchJob& job) {
    QSignalSpy finished(&job, &BatchJob::finished);
    const bool ended = QTest::qWaitFor([&] { return !finished.empty(); }, 2 * patience);
    return ended ? finished[0][0].value<BatchSummary>() : BatchSummary{};
  }

 private Q_SLOTS:
  void initTestCase() { qRegisterMetaType<BatchSummary>(); }
  void init() { new_folder(); }

  void a_stopwatch_adds_up_what_it_runs() {
    Stopwatch watch;
    const Stopwatch::Clock::time_point start;
    QCOMPARE(watch.seconds(start), 0.0);
    watch.run(true, start);
    watch.run(true, start + 1s);
    QCOMPARE(watch.seconds(start + 3s), 3.0);
    watch.run(false, start + 4s);
    watch.run(false, start + 5s);
    QCOMPARE(watch.seconds(start + 100s), 4.0);
    watch.run(true, start + 100s);
    QCOMPARE(watch.seconds(start + 102s), 6.0);
  }

  void the_time_that_a_run_is_held_does_not_count() {
    pictures(6);
    const auto held = hold_folder();
    QVERIFY(held != nullptr);
    BatchJob job;
    QSignalSpy began(&job, &BatchJob::began);
    QVERIFY(job.start(settings()));
    job.pause(true);
    held->close();
    QTRY_COMPARE_WITH_TIMEOUT(began.size(), 1, patience);
    QTest::qWait(1500);
    job.pause(false);
    const BatchSummary summary = finish(job);
    QCOMPARE(summary.done, 6);
    // The runner's own account includes everything.
    QVERIFY(job.progress().seconds < summary.seconds - 1);
  }

  void what_failed_counts_no_megapixels() {
    pictures(2);
    // Complete up to the end of its header.
    make("in/short.pgm", "P5\n600 400\n255\nshort");
    BatchJob job;
    QVERIFY(job.start(settings()));
    const BatchSummary summary = finish(job);
    QCOMPARE(summary.failed, 1);
    QCOMPARE(job.progress().failed, 1);
    QVERIFY(job.progress().megapixels > 0);
    QCOMPARE(job.progress().megapixels, summary.megapixels);
  }

  void a_cancelled_run_does_not_wait_for_a_folder() {
    pictures(1);
    const auto held = hold_folder();
    QVERIFY(held != nullptr);
    BatchJob job;
    QSignalSpy refused(&job, &BatchJob::refused);
    QVERIFY(job.start(settings()));
    job.cancel();
    // A run that was not cancelled keeps waiting.
    auto other = std::async(std::launch::async, [&] { const Journal journal(at("out"), 1, 1); });
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, patience);
    QVERIFY(!job.is_running());
    QVERIFY(other.wait_for(0s) == std::future_status::timeout);
    held->close();
    other.get();
  }
};

QTEST_MAIN(TestBatchJob)
#include "test_batch_job.moc"
