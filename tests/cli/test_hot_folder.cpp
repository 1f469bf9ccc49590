// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Retries in a watched folder, by a clock of the test's own.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "cli/hot_folder.hpp"

using namespace sfumato;
using namespace sfumato::cli;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

using State = ItemResult::State;

class TestHotFolder : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  HotFolder::Clock::time_point now_;

  fs::path make(const std::string& name) const {
    const fs::path path = fs::path(folder_.path().toStdString()) / name;
    std::ofstream(path) << "picture";
    return path;
  }
  // As in the folder's plan, with this many pictures from one file.
  static BatchPlan plan_of(const fs::path& path, int pictures = 1, std::int64_t time = 1) {
    BatchPlan plan;
    for (int i = 1; i <= pictures; ++i) {
      BatchItem item;
      item.number = i;
      item.source.path = path;
      item.stamp.size = 7;
      item.stamp.time = time;
      plan.items.push_back(item);
    }
    return plan;
  }
  bool is_taken(HotFolder& hot, BatchPlan plan) const {
    hot.take_settled(plan, now_);
    return !plan.items.empty();
  }
  // Takes a plan's items and records their outcomes; false: nothing was taken.
  bool attempt(HotFolder& hot, BatchPlan plan, const std::vector<State>& states,
               bool broke_off = false) const {
    hot.take_settled(plan, now_);
    if (plan.items.empty()) return false;
    Report report(plan);
    for (std::size_t i = 0; i < states.size(); ++i) {
      ItemResult result;
      result.state = states[i];
      report.add(plan.items[i], result);
    }
    hot.ended(plan, report, now_, broke_off);
    return true;
  }

 private Q_SLOTS:
  void what_failed_is_tried_again_ever_later() {
    const BatchPlan plan = plan_of(make("a.ppm"));
    HotFolder hot;
    QVERIFY(!is_taken(hot, plan));  // seen once
    QVERIFY(attempt(hot, plan, {State::failed}));
    std::chrono::seconds wait = 30s;
    for (int i = 0; i < 10; ++i) {
      QCOMPARE(hot.failing(), 1);
      now_ += wait - 1s;
      QVERIFY(!is_taken(hot, plan));
      now_ += 1s;
      QVERIFY(attempt(hot, plan, {State::failed}));
      wait = std::min(2 * wait, std::chrono::seconds(1h));
    }
    now_ += 1h;
    QVERIFY(attempt(hot, plan, {State::done}));
    QCOMPARE(hot.failing(), 0);
    now_ += 24h;
    QVERIFY(!is_taken(hot, plan));
  }

  void a_file_that_changes_waits_for_nothing() {
    const fs::path path = make("a.ppm");
    HotFolder hot;
    is_taken(hot, plan_of(path));
    for (int i = 0; i < 4; ++i) {
      QVERIFY(attempt(hot, plan_of(path), {State::failed}));
      now_ += 2h;
    }
    const BatchPlan changed = plan_of(path, 1, 2);
    QVERIFY(!is_taken(hot, changed));
    QVERIFY(attempt(hot, changed, {State::failed}));
    now_ += 30s;
    QVERIFY(attempt(hot, changed, {State::done}));
    QCOMPARE(hot.failing(), 0);
  }

  void a_failure_that_is_removed_is_forgotten() {
    const fs::path path = make("a.ppm");
    HotFolder hot;
    is_taken(hot, plan_of(path));
    QVERIFY(attempt(hot, plan_of(path), {State::failed}));
    hot.forget_removed();
    QCOMPARE(hot.failing(), 1);
    fs::remove(path);
    hot.forget_removed();
    QCOMPARE(hot.failing(), 0);
    // Outputs are remembered while the folder is watched.
    const fs::path made = make("b.ppm");
    is_taken(hot, plan_of(made));
    QVERIFY(attempt(hot, plan_of(made), {State::done}));
    fs::remove(made);
    hot.forget_removed();
    make("b.ppm");
    QVERIFY(!is_taken(hot, plan_of(made)));
  }

  void a_movie_fails_with_any_of_its_pictures() {
    const BatchPlan plan = plan_of(make("m.mkv"), 3);
    HotFolder hot;
    is_taken(hot, plan);
    QVERIFY(attempt(hot, plan, {State::done, State::failed, State::done}));
    QCOMPARE(hot.failing(), 1);
    now_ += 30s;
    QVERIFY(attempt(hot, plan, {State::done, State::done, State::done}));
    QCOMPARE(hot.failing(), 0);
  }

  void a_run_that_breaks_off_failed_at_what_it_left() {
    const BatchPlan plan = plan_of(make("a.ppm"));
    HotFolder hot;
    is_taken(hot, plan);
    QVERIFY(attempt(hot, plan, {State::cancelled}, true));
    QCOMPARE(hot.failing(), 1);
    now_ += 30s;
    // Cancelled by the user: its state does not change.
    QVERIFY(attempt(hot, plan, {State::cancelled}));
    QCOMPARE(hot.failing(), 1);
  }
};

QTEST_GUILESS_MAIN(TestHotFolder)
#include "test_hot_folder.moc"
