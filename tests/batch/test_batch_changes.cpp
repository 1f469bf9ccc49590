// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a batch makes again: sources, roles and recipes that have changed since.
#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "batch/journal.hpp"
#include "batch/report.hpp"
#include "batch_folder.hpp"
#include "params/json_text.hpp"

using namespace sfumato;
using namespace sfumato::testing;
namespace fs = std::filesystem;

class TestBatchChanges : public BatchFolderTest {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    new_folder();
    for (const char* name : {"in/a.jpg", "in/b.png", "in/sub/a.jpg", "in/z.cr2"}) make(name);
  }

  void a_source_that_changed_is_done_anew() {
    const BatchPlan plan = plan_batch(request());
    Journal journal(at("out"), 1, 1);
    make_all(journal, plan);
    make("in/b.png", "changed");
    const BatchPlan again = plan_batch(request(), recall_of(journal));
    QCOMPARE(names(again.items), Names{"b_soft.png"});
    QVERIFY(again.items[0].replaces);
    // But not over what somebody has made of it since.
    make("out/b_soft.png", "painted over");
    QVERIFY_THROWS_EXCEPTION(ClashError, plan_batch(request(), recall_of(journal)));
  }

  void a_source_that_changed_keeps_its_output_where_files_are_kept() {
    const BatchPlan plan = plan_batch(request());
    Journal journal(at("out"), 1, 1);
    make_all(journal, plan);
    make("in/b.png", "another picture");
    BatchRequest asked = request();
    asked.existing = Existing::rename;
    const BatchPlan renamed = plan_batch(asked, recall_of(journal));
    QCOMPARE(names(renamed.items), Names{"b_soft_2.png"});
    QVERIFY(!renamed.items[0].replaces);
    asked.existing = Existing::skip;
    const BatchPlan skipped = plan_batch(asked, recall_of(journal));
    QVERIFY(skipped.items.empty());
    QCOMPARE(skipped.warnings.size(), std::size_t{1});
    QVERIFY(in_english(skipped.warnings[0]).find("in/b.png: changed since") != std::string::npos);
    asked.redo_changed = true;
    QVERIFY(plan_batch(asked, recall_of(journal)).items.at(0).replaces);
  }

  void a_role_that_changed_is_a_change() {
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
    asked.inputs.words = {at("in/a.jpg").string(), at("in/b.png").string()};
    asked.roles["guide"] = {"{folder}/{stem}_G.png", ""};
    make("in/a_G.png");
    make("in/b_G.png");
    Journal journal(at("out"), 1, 1);
    make_all(journal, plan_batch(asked));
    QVERIFY(plan_batch(asked, recall_of(journal)).items.empty());
    make("in/a_G.png", "rendered anew");
    const BatchPlan again = plan_batch(asked, recall_of(journal));
    QCOMPARE(names(again.items), Names{"a_soft.jpg"});
    QVERIFY(again.items[0].replaces);
    // By the recipe itself, too.
    asked.roles.clear();
    asked.recipe = one_step("joint_bilateral", {{"guide", at("in/b_G.png").string()}});
    asked.name = NameTemplate("x_{stem}.{ext}");
    make_all(journal, plan_batch(asked));
    QVERIFY(plan_batch(asked, recall_of(journal)).items.empty());
    make("in/b_G.png", "rendered anew");
    QCOMPARE(plan_batch(asked, recall_of(journal)).items.size(), std::size_t{2});
  }

  // Of a folder that is watched: nothing is lost.
  void another_picture_of_the_same_name_gets_another_name() {
    BatchRequest asked = request();
    asked.redo_changed = true;
    asked.existing = Existing::skip;
    {
      Journal journal(at("out"), 1, 1);
      make_all(journal, plan_batch(asked));
    }
    fs::rename(at("in/b.png"), at("b.png"));
    make("in/b.png", "another picture");
    make("in/a.jpg", "the same, saved anew");
    Journal journal(at("out"), 1, 1);
    const BatchPlan plan = plan_batch(asked, recall_of(journal));
    QCOMPARE(names(plan.items), (Names{"a_soft.jpg", "b_soft_2.png"}));
    QVERIFY(plan.items[0].replaces && !plan.items[1].replaces);
    make_all(journal, plan);
    QVERIFY(plan_batch(asked, recall_of(journal)).items.empty());
    // The first one comes back as it was.
    fs::remove(at("in/b.png"));
    fs::rename(at("b.png"), at("in/b.png"));
    QVERIFY(plan_batch(asked, recall_of(journal)).items.empty());
  }

  void what_was_done_before_is_reported() {
    const BatchPlan plan = plan_batch(request());
    {
      Journal journal(at("out"), 1, 1);
      write_output(journal, plan, 0);
      journal.end(plan.items[0], plan.recipe_hash,
                  {ItemResult::State::done,
                   {},
                   {message({"test.warning", "{what} warning"}, "a")},
                   1.5,
                   6,
                   "a device"});
    }
    const Journal journal(at("out"), 1, 1);
    const BatchPlan again = plan_batch(request(), recall_of(journal));
    const auto json = parse_json(Report(again).json({}));
    const auto& file = json["files"][0];
    QCOMPARE(file["result"].get<std::string>(), std::string("skipped"));
    QCOMPARE(file["done_before"].get<bool>(), true);
    QCOMPARE(file["seconds"].get<double>(), 1.5);
    QCOMPARE(file["device"].get<std::string>(), std::string("a device"));
    QCOMPARE(file["warnings"][0].get<std::string>(), std::string("a warning"));
    const auto& said = file["warning_messages"][0];
    QCOMPARE(said["id"].get<std::string>(), std::string("test.warning"));
    QCOMPARE(said["values"]["what"].get<std::string>(), std::string("a"));
    QVERIFY(!json["files"][1].contains("done_before"));
    QVERIFY(Report(again).csv().find(",skipped,,1.500,a device,a warning") != std::string::npos);
  }

  // Names hold the filter, not its values.
  void what_lies_there_under_another_recipe_is_not_done() {
    BatchRequest soft = request(), other = request();
    soft.existing = other.existing = Existing::overwrite;
    other.recipe = one_step("gaussian", {{"sigma", "3"}});
    const auto run = [&](const BatchRequest& asked) {
      Journal journal(at("out"), 1, 1);
      const BatchPlan plan = plan_batch(asked, recall_of(journal));
      make_all(journal, plan);
      return plan.items.size();
    };
    QCOMPARE(run(soft), std::size_t{4});
    QCOMPARE(run(soft), std::size_t{0});
    QCOMPARE(run(other), std::size_t{4});
    // Not done any more, and not replaced without leave.
    {
      const Journal journal(at("out"), 1, 1);
      QVERIFY_THROWS_EXCEPTION(ClashError, plan_batch(request(), recall_of(journal)));
    }
    QCOMPARE(run(soft), std::size_t{4});
    QCOMPARE(run(soft), std::size_t{0});
    // What somebody has painted over stays.
    make("out/a_soft.jpg", "painted over");
    QCOMPARE(run(soft), std::size_t{0});
  }

  void what_lies_there_of_another_source_is_not_done() {
    fs::create_directories(at("other"));
    make("other/b.png", "another");
    const BatchPlan plan = plan_batch(request());
    BatchRequest others = request();
    others.inputs.words = {at("other").string()};
    others.existing = Existing::overwrite;
    {
      Journal journal(at("out"), 1, 1);
      write_output(journal, plan, 1);
      journal.end(plan.items[1], plan.recipe_hash, {});
      const BatchPlan over = plan_batch(others);
      QCOMPARE(over.items.at(0).target, plan.items[1].target);
      write_output(journal, over, 0);
      journal.end(over.items[0], over.recipe_hash, {});
    }
    const Journal journal(at("out"), 1, 1);
    QCOMPARE(journal.recall(plan.items[1], plan.recipe_hash).state, PriorResult::State::unknown);
  }
};

QTEST_GUILESS_MAIN(TestBatchChanges)
#include "test_batch_changes.moc"
