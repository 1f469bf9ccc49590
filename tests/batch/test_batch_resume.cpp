// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a batch remembers of earlier runs, and what it may do to the files that it finds.
#include <QTest>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "batch/journal.hpp"
#include "batch/report.hpp"
#include "batch_folder.hpp"
#include "params/json_text.hpp"

using namespace sfumato;
using namespace sfumato::testing;
namespace fs = std::filesystem;

class TestBatchResume : public BatchFolderTest {
  Q_OBJECT

  static ItemResult broken() {
    return {ItemResult::State::failed, foreign_message("it is broken"), {}, 0, 0, {}};
  }

 private Q_SLOTS:
  void init() {
    new_folder();
    for (const char* name : {"in/a.jpg", "in/b.png", "in/sub/a.jpg", "in/z.cr2"}) make(name);
  }

  void outputs_among_inputs_are_left_out() {
    BatchRequest asked = request();
    asked.folder = at("in");
    asked.inputs.output_folder = at("in");
    const BatchPlan plan = plan_batch(asked);
    Journal journal(at("in"), 1, 1);
    journal.begin(plan.items[0], plan.recipe_hash);
    write_output(journal, plan, 0);
    QVERIFY(journal.is_output(plan.items[0].target));
    QVERIFY(!journal.is_output(at("in/a.jpg")));
    asked.existing = Existing::skip;
    asked.inputs.left_out = [&](const fs::path& file) { return journal.is_output(file); };
    QCOMPARE(names(plan_batch(asked).items), (Names{"b_soft.png", "a_soft.jpg", "z_soft.tif"}));
    // Named, it is taken.
    asked.inputs.words = {at("in/a_soft.jpg").string()};
    QCOMPARE(names(plan_batch(asked).items), Names{"a_soft_soft.jpg"});
  }

  void what_the_batch_did_not_make_is_not_replaced() {
    const BatchPlan plan = plan_batch(request());
    const std::string& hash = plan.recipe_hash;
    {
      Journal journal(at("out"), 1, 1);
      for (const BatchItem& item : plan.items) journal.begin(item, hash);
      journal.end(plan.items[0], hash, broken());
      // Killed in the middle of it.
      journal.made(plan.items[1], hash, make("out/.b_soft.sfumato-4711-0.png"));
      // Given up; whatever was put there since may have its file's number.
      journal.made(plan.items[2], hash, make("out/sub/a_soft.jpg"));
      journal.end(plan.items[2], hash, {ItemResult::State::cancelled, {}, {}, 0, 0, {}});
    }
    const Journal journal(at("out"), 1, 1);
    QVERIFY(!journal.is_output(at("out/sub/a_soft.jpg")));
    make("out/a_soft.jpg", "a user's");
    make("out/b_soft.png", "a user's");
    make("out/z_soft.tif", "a user's");
    try {
      plan_batch(request(), recall_of(journal));
      QFAIL("they would be replaced");
    } catch (const ClashError& error) {
      QCOMPARE(error.clashes().size(), std::size_t{4});
      for (const std::string& clash : in_english(error.clashes())) {
        QVERIFY(clash.find(": the file exists already") != std::string::npos);
      }
    }
    BatchRequest asked = request();
    asked.existing = Existing::rename;
    QCOMPARE(names(plan_batch(asked, recall_of(journal)).items),
             (Names{"a_soft_2.jpg", "b_soft_2.png", "a_soft_2.jpg", "z_soft_2.tif"}));
  }

  void what_may_be_replaced_may_be_later() {
    make("out/a_soft.jpg", "old");
    BatchRequest asked = request();
    asked.existing = Existing::overwrite;
    const BatchPlan plan = plan_batch(asked);
    {
      Journal journal(at("out"), 1, 1);
      journal.made(plan.items[0], plan.recipe_hash, make("out/.a_soft.sfumato-4711-0.jpg"));
    }
    const Journal journal(at("out"), 1, 1);
    QVERIFY(plan_batch(request(), recall_of(journal)).items[0].replaces);
    make("out/a_soft.jpg", "another");
    QVERIFY_THROWS_EXCEPTION(ClashError, plan_batch(request(), recall_of(journal)));
  }

  void what_was_done_outlives_a_try_to_make_it_again() {
    const BatchPlan plan = plan_batch(request());
    const BatchItem& item = plan.items[1];
    {
      Journal journal(at("out"), 1, 1);
      write_output(journal, plan, 1);
      journal.end(item, plan.recipe_hash, {});
      journal.begin(item, plan.recipe_hash);
      journal.end(item, plan.recipe_hash, broken());
    }
    Journal journal(at("out"), 1, 1);
    QCOMPARE(journal.recall(item, plan.recipe_hash).state, PriorResult::State::done);
    make("out/b_soft.png", "a user's");
    journal.end(item, plan.recipe_hash, broken());
    QCOMPARE(journal.recall(item, plan.recipe_hash).state, PriorResult::State::failed);
  }

  void a_plan_is_stale_where_another_batch_has_begun_since() {
    const BatchPlan plan = plan_batch(request());
    Journal late(at("out"), 1, 1);
    {
      Journal first(at("out"), 1, 1);
      QVERIFY(first.hold());
      first.begin(plan.items[0], plan.recipe_hash);
      JournalOptions options;
      options.patience = std::chrono::milliseconds(100);
      QVERIFY_THROWS_EXCEPTION(BatchError, Journal(at("out"), 1, 1, options));
    }
    QVERIFY(!late.hold());
    QVERIFY_THROWS_EXCEPTION(BatchError, late.begin(plan.items[0], plan.recipe_hash));
  }

  void outputs_in_place_are_known_again() {
    BatchRequest asked = request();
    asked.folder = at("in");
    asked.name = NameTemplate("{folder}/{stem}.{ext}");
    asked.existing = Existing::overwrite;
    fs::remove(at("in/z.cr2"));
    const BatchPlan plan = plan_batch(asked);
    {
      Journal journal(at("in"), 1, 1);
      write_output(journal, plan, 0);
      journal.end(plan.items[0], plan.recipe_hash, {});
      write_output(journal, plan, 1);  // killed before that was said
      journal.made(plan.items[2], plan.recipe_hash, make("in/sub/.a.sfumato-4711-0.jpg"));
    }
    Journal journal(at("in"), 1, 1);
    asked.inputs.left_out = [&](const fs::path& file) { return journal.is_output(file); };
    const BatchPlan again = plan_batch(asked, recall_of(journal));
    QCOMPARE(names(again.skipped), (Names{"a.jpg", "b.png"}));
    QCOMPARE(names(again.items), Names{"a.jpg"});
    QCOMPARE(again.items[0].number, std::int64_t{3});
    // Another recipe takes what this one has made.
    BatchRequest other = asked;
    other.recipe = one_step("gaussian", {{"sigma", "3"}});
    QCOMPARE(plan_batch(other, recall_of(journal)).items.size(), std::size_t{3});
    // A picture that was put back is a picture again.
    make("in/a.jpg", "put back");
    QCOMPARE(plan_batch(asked, recall_of(journal)).items.size(), std::size_t{2});
  }

  void a_folder_that_was_moved_keeps_its_outputs() {
    const BatchPlan plan = plan_batch(request());
    {
      Journal journal(at("out"), 1, 1);
      for (std::size_t i = 0; i < 3; ++i) {
        write_output(journal, plan, i);
        journal.end(plan.items[i], plan.recipe_hash, {});
      }
    }
    fs::rename(at("out"), at("moved"));
    fs::create_directory_symlink(at("moved"), at("link"));
    BatchRequest asked = request();
    for (const char* folder : {"moved", "moved/", "link"}) {
      asked.folder = at(folder);
      const Journal journal(at(folder), 1, 1);
      const BatchPlan again = plan_batch(asked, recall_of(journal));
      QCOMPARE(again.skipped.size(), std::size_t{3});
      QCOMPARE(again.skipped[0].target, (at(folder) / "a_soft.jpg").lexically_normal());
      QCOMPARE(again.items[0].target, (at(folder) / "z_soft.tif").lexically_normal());
      QVERIFY(journal.is_output(at("moved/a_soft.jpg")));
    }
  }

  void journals_name_nothing_outside_of_their_folder() {
    const BatchPlan plan = plan_batch(request());
    const auto line = [&](const char* state, std::size_t i, const std::string& target) {
      const BatchItem& item = plan.items[i];
      return "{\"state\":\"" + std::string(state) + "\",\"source\":\"" + item.source.path.string() +
             "\",\"size\":" + std::to_string(item.stamp.size) +
             ",\"time\":" + std::to_string(item.stamp.time) + ",\"recipe\":\"" + plan.recipe_hash +
             "\",\"target\":\"" + target + "\"}\n";
    };
    make("elsewhere/.b_soft.sfumato-4711-0.png");
    // As earlier versions wrote them.
    make("out/a_soft.jpg");
    make("out/sfumato-batch.jsonl", line("done", 0, at("out/a_soft.jpg").string()) +
                                        line("begun", 1, at("elsewhere/b_soft.png").string()) +
                                        line("done", 2, at("elsewhere/x.jpg").string()) +
                                        line("done", 3, "../elsewhere/z.tif"));
    make("elsewhere/x.jpg");
    make("elsewhere/z.tif");
    const Journal journal(at("out"), 1, 1);
    const BatchPlan again = plan_batch(request(), recall_of(journal));
    QCOMPARE(names(again.skipped), Names{"a_soft.jpg"});
    QCOMPARE(again.items.size(), std::size_t{3});
    for (const BatchItem& item : again.items) {
      QVERIFY(item.target.string().starts_with(at("out").string()) && !item.replaces);
    }
    journal.sweep();
    QVERIFY(fs::exists(at("elsewhere/.b_soft.sfumato-4711-0.png")));
  }

  void templates_may_lead_elsewhere() {
    BatchRequest asked = request();
    asked.name = NameTemplate(at("elsewhere").string() + "/{folder}/{stem}.{ext}");
    const BatchPlan plan = plan_batch(asked);
    {
      Journal journal(at("out"), 1, 1);
      write_output(journal, plan, 0);
      journal.end(plan.items[0], plan.recipe_hash, {});
    }
    const Journal journal(at("out"), 1, 1);
    QCOMPARE(names(plan_batch(asked, recall_of(journal)).skipped), Names{"a.jpg"});
  }

  void counters_pass_over_names_that_are_taken() {
    BatchRequest asked = request();
    asked.name = NameTemplate("{counter:3}.{ext}");
    asked.extension = "png";
    const BatchPlan plan = plan_batch(asked);
    Journal journal(at("out"), 1, 1);
    make_all(journal, plan);
    make("in/0.jpg");
    make("in/c.jpg");
    fs::remove(at("in/z.cr2"));  // whose output stays
    const BatchPlan again = plan_batch(asked, recall_of(journal));
    QCOMPARE(names(again.skipped), (Names{"001.png", "002.png", "003.png"}));
    QCOMPARE(names(again.items), (Names{"005.png", "006.png"}));
  }

  void results_of_earlier_runs_are_left_out() {
    BatchRequest asked = request();
    asked.folder = at("in/sfumato");
    const BatchPlan plan = plan_batch(asked);
    {
      Journal journal(at("in/sfumato"), 1, 1);
      make_all(journal, plan);
    }
    make("in/sfumato/by_hand.png");
    asked.folder = at("other");
    asked.inputs.output_folder = at("other");
    QCOMPARE(plan_batch(asked).items.size(), std::size_t{5});
    asked.inputs.words = {at("in/**/*.jpg").string()};
    QCOMPARE(plan_batch(asked).items.size(), std::size_t{2});
    // Named, they are taken: as files, or as a folder that holds nothing of what they are made of.
    asked.inputs.words = {at("in/sfumato/a_soft.jpg").string()};
    QCOMPARE(plan_batch(asked).items.size(), std::size_t{1});
    asked.inputs.words = {at("in/sfumato").string()};
    QCOMPARE(plan_batch(asked).items.size(), std::size_t{5});
    // In the folder of the inputs themselves.
    asked = request();
    asked.folder = at("in");
    asked.name = NameTemplate("x_{stem}.{ext}");
    asked.inputs.words = {at("in/a.jpg").string()};
    const BatchPlan beside = plan_batch(asked);
    {
      Journal journal(at("in"), 1, 1);
      write_output(journal, beside, 0);
    }
    asked.inputs.words = {at("in/x*").string()};
    QVERIFY(fault(asked).contains(QStringLiteral("outputs of earlier batches")));
  }

  void shards_agree_on_their_plan() {
    BatchRequest asked = request();
    asked.shards = 2;
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(plan.count, std::int64_t{4});
    Journal(at("out"), 1, 2).agree(plan);
    Journal(at("out"), 1, 2).agree(plan);
    Journal(at("out"), 2, 2).agree(plan);
    // Where the same files lie elsewhere, it is the same plan.
    fs::rename(at("in"), at("there"));
    asked.inputs.words = {at("there").string()};
    Journal(at("out"), 2, 2).agree(plan_batch(asked));
    make("there/0.jpg");
    const BatchPlan more = plan_batch(asked);
    try {
      Journal(at("out"), 2, 2).agree(more);
      QFAIL("it would leave files out");
    } catch (const BatchError& error) {
      const std::string said = error.what();
      QVERIFY(said.find("1-of-2.jsonl: this shard was made from 4 inputs, but now there are 5") !=
              std::string::npos);
    }
    Journal(at("out"), 1, 1).agree(more);
    Journal(at("out"), 1, 3).agree(more);
    // What was refused binds nobody.
    Journal(at("out"), 1, 2).agree(plan);
    asked.recipe = one_step("gaussian", {{"sigma", "3"}});
    Journal(at("out"), 2, 2).agree(plan_batch(asked));
  }

  void a_run_without_shards_lets_them_begin_anew() {
    BatchRequest asked = request();
    asked.shards = 2;
    const BatchPlan few = plan_batch(asked);
    Journal(at("out"), 1, 2).agree(few);
    auto second = std::make_unique<Journal>(at("out"), 2, 2);
    second->agree(few);
    make("in/0.jpg");
    const BatchPlan more = plan_batch(asked);
    Journal(at("out"), 1, 1).agree(more);
    // The second is still at work by the old plan.
    QVERIFY_THROWS_EXCEPTION(BatchError, Journal(at("out"), 1, 2).agree(more));
    second.reset();
    Journal(at("out"), 1, 1).agree(more);
    Journal(at("out"), 1, 2).agree(more);
    Journal(at("out"), 2, 2).agree(more);
    QVERIFY_THROWS_EXCEPTION(BatchError, Journal(at("out"), 2, 2).agree(few));
  }

  void one_batch_at_a_time_is_at_work_in_a_folder() {
    const BatchPlan plan = plan_batch(request());
    auto first = std::make_unique<Journal>(at("out"), 1, 1);
    first->begin(plan.items[0], plan.recipe_hash);
    JournalOptions options;
    options.patience = std::chrono::milliseconds(100);
    QVERIFY_THROWS_EXCEPTION(BatchError, Journal(at("out"), 1, 1, options));
    Journal(at("out"), 1, 2);  // another shard's is another's
    options.patience = std::chrono::hours(1);
    options.given_up = [] { return true; };
    QVERIFY_THROWS_EXCEPTION(BatchError, Journal(at("out"), 1, 1, options));
    options.only_look = true;
    Journal(at("out"), 1, 1, options);
    // It may be about to end.
    std::jthread ending([&] {
      QTest::qSleep(300);
      first.reset();
    });
    Journal(at("out"), 1, 1).begin(plan.items[1], plan.recipe_hash);
  }

  void temporaries_of_a_killed_run_are_swept_up() {
    const BatchPlan plan = plan_batch(request());
    {
      Journal journal(at("out"), 1, 1);
      journal.begin(plan.items[0], plan.recipe_hash);
    }
    make("out/.a_soft.sfumato-4711-0.jpg");
    make("out/.a_soft_2.sfumato-4711-1.jpg");
    make("out/.a_soft.sfumato-notes.jpg");
    make("out/a_soft.jpg");
    make("out/.b_soft.sfumato-4711-2.png");
    {
      Journal second(at("out"), 2, 2);
      second.begin(plan.items[1], plan.recipe_hash);
      Journal(at("out"), 1, 1).sweep();
      QVERIFY(fs::exists(at("out/.b_soft.sfumato-4711-2.png")));  // its program is at work
    }
    Journal(at("out"), 1, 1).sweep();
    QVERIFY(!fs::exists(at("out/.b_soft.sfumato-4711-2.png")));
    QVERIFY(!fs::exists(at("out/.a_soft.sfumato-4711-0.jpg")));
    QVERIFY(fs::exists(at("out/.a_soft_2.sfumato-4711-1.jpg")));
    QVERIFY(fs::exists(at("out/.a_soft.sfumato-notes.jpg")));
    QVERIFY(fs::exists(at("out/a_soft.jpg")));
  }

  void what_another_shard_is_making_is_not_swept_up() {
    const BatchPlan plan = plan_batch(request());
    {
      Journal killed(at("out"), 1, 1);
      killed.begin(plan.items[0], plan.recipe_hash);
      killed.begin(plan.items[1], plan.recipe_hash);
    }
    make("out/.b_soft.sfumato-4711-1.png");
    Journal second(at("out"), 2, 2);
    {
      Journal first(at("out"), 1, 2);
      first.begin(plan.items[0], plan.recipe_hash);
      make("out/.a_soft.sfumato-4712-0.jpg");
      second.sweep();
      QVERIFY(fs::exists(at("out/.a_soft.sfumato-4712-0.jpg")));
      QVERIFY(!fs::exists(at("out/.b_soft.sfumato-4711-1.png")));
    }
    second.sweep();
    QVERIFY(!fs::exists(at("out/.a_soft.sfumato-4712-0.jpg")));
  }

  void names_may_be_any_bytes() {
    make("in/caf\xc3\xa9 %41.png");
    make("in/\xff\xfe,\"x\".png");
    const BatchPlan plan = plan_batch(request());
    {
      Journal journal(at("out"), 1, 1);
      for (const BatchItem& item : plan.items) {
        journal.made(item, plan.recipe_hash, {});
        journal.end(item, plan.recipe_hash, {});
      }
    }
    const Journal journal(at("out"), 1, 1);
    for (const BatchItem& item : plan.items) {
      const PriorResult earlier = journal.recall(item, plan.recipe_hash);
      QCOMPARE(earlier.state, PriorResult::State::done);
      QCOMPARE(earlier.target, item.target);
    }
    Report report(plan);
    QVERIFY(parse_json(report.json({})).is_object());
    QVERIFY(report.csv().find("\"\"x\"\"") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestBatchResume)
#include "test_batch_resume.moc"
