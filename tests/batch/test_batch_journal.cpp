// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What journals hold, and what is read of damaged and hostile ones.
#include <sys/stat.h>

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

class TestBatchJournal : public BatchFolderTest {
  Q_OBJECT

  static ItemResult broken() {
    return {ItemResult::State::failed, foreign_message("it is broken"), {}, 0, 0, {}};
  }

 private Q_SLOTS:
  void init() {
    new_folder();
    for (const char* name : {"in/a.jpg", "in/b.png", "in/sub/a.jpg", "in/z.cr2"}) make(name);
  }

  void a_journal_remembers() {
    const BatchPlan plan = plan_batch(request());
    const std::string& hash = plan.recipe_hash;
    {
      Journal journal(at("out"), 1, 1);
      QVERIFY(!fs::exists(journal.path()));
      for (int i = 0; i < 3; ++i) journal.begin(plan.items[static_cast<std::size_t>(i)], hash);
      write_output(journal, plan, 0);
      journal.end(plan.items[0], hash, {});
      journal.end(plan.items[1], hash, broken());
      write_output(journal, plan, 2);  // given its name, and killed before that was said
    }
    Journal journal(at("out"), 1, 1);
    const HistoryLookup recall = recall_of(journal);
    BatchPlan again = plan_batch(request(), recall);
    QCOMPARE(names(again.skipped), (Names{"a_soft.jpg", "a_soft.jpg"}));
    QCOMPARE(names(again.items), (Names{"b_soft.png", "z_soft.tif"}));
    QVERIFY(!again.items[0].replaces);
    // Done, but taken away since.
    fs::remove(at("out/a_soft.jpg"));
    QCOMPARE(plan_batch(request(), recall).items.size(), std::size_t{3});
    // Emptied, as by a power cut: made again in its place. Edited: kept.
    make("out/a_soft.jpg", "");
    const BatchPlan emptied = plan_batch(request(), recall);
    QCOMPARE(emptied.items.size(), std::size_t{3});
    QCOMPARE(names(emptied.items)[0], std::string("a_soft.jpg"));
    QVERIFY(emptied.items[0].replaces);
    make("out/a_soft.jpg", "edited");
    QCOMPARE(plan_batch(request(), recall).items.size(), std::size_t{2});
    // Another recipe knows nothing of it.
    make("out/a_soft.jpg");
    BatchRequest other = request();
    other.recipe = one_step("gaussian", {{"sigma", "3"}});
    QVERIFY_THROWS_EXCEPTION(ClashError, plan_batch(other, recall));
  }

  // Journals of older releases hold sentences alone.
  void warnings_are_read_with_and_without_their_messages() {
    const BatchPlan plan = plan_batch(request());
    ItemResult result;
    result.warnings = {message({"movie.anything", "{file}: all is well"}, "a.jpg")};
    fs::path file;
    {
      Journal journal(at("out"), 1, 1);
      file = journal.path();
      write_output(journal, plan, 0);
      journal.end(plan.items[0], plan.recipe_hash, result);
    }
    const auto warnings = [&] {
      Journal journal(at("out"), 1, 1);
      return journal.recall(plan.items[0], plan.recipe_hash).work.warnings;
    };
    QVERIFY(warnings() == result.warnings);
    std::string older;
    {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        auto said = nlohmann::ordered_json::parse(line);
        said.erase("warning_messages");
        older += said.dump() + '\n';
      }
    }
    std::ofstream(file, std::ios::trunc) << older;
    QCOMPARE(warnings().size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(in_english(warnings().front())),
             QStringLiteral("a.jpg: all is well"));
    QVERIFY(warnings().front().id.empty());
  }

  void a_torn_line_is_left_out() {
    const BatchPlan plan = plan_batch(request());
    fs::path file;
    {
      Journal journal(at("out"), 1, 1);
      file = journal.path();
      journal.begin(plan.items[0], plan.recipe_hash);
      journal.end(plan.items[0], plan.recipe_hash, {});
      journal.begin(plan.items[1], plan.recipe_hash);
    }
    fs::resize_file(file, fs::file_size(file) - 9);
    {
      Journal journal(at("out"), 1, 1);
      QCOMPARE(journal.recall(plan.items[0], plan.recipe_hash).state, PriorResult::State::done);
      QCOMPARE(journal.recall(plan.items[1], plan.recipe_hash).state, PriorResult::State::unknown);
      journal.made(plan.items[2], plan.recipe_hash, at("in/a.jpg"));
    }
    Journal journal(at("out"), 1, 1);
    QCOMPARE(journal.recall(plan.items[2], plan.recipe_hash).state, PriorResult::State::started);
  }

  void hostile_journals_do_no_harm() {
    const BatchPlan plan = plan_batch(request());
    make("out/sfumato-batch.jsonl",
         "\n[]\n{\"state\": 3}\n{\"state\":\"done\",\"source\":\"%zz\",\"target\":\"%\"}\nnull\n" +
             std::string(100000, '[') + "\n\xff\xfe\n");
    Journal journal(at("out"), 1, 1);
    QCOMPARE(journal.recall(plan.items[0], plan.recipe_hash).state, PriorResult::State::unknown);
  }

  // What someone has put in a journal's place leads nowhere else.
  void a_journal_is_an_ordinary_file() {
    const BatchPlan plan = plan_batch(request());
    const fs::path other = make("other", "mine");
    fs::create_directories(at("out"));
    const fs::path file = Journal(at("out"), 1, 1).path();
    const auto refused = [&] {
      try {
        Journal(at("out"), 1, 1).begin(plan.items[0], plan.recipe_hash);
      } catch (const FileError& e) {
        return std::string_view(e.what()).find("not an ordinary file") != std::string_view::npos;
      }
      return false;
    };
    fs::create_symlink(other, file);
    QVERIFY(refused());
    fs::remove(file);
    QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
    QVERIFY(refused());
    QCOMPARE(fs::file_size(other), std::uintmax_t{4});
  }

  void journals_of_shards_are_one() {
    const BatchPlan plan = plan_batch(request());
    {
      Journal second(at("out"), 2, 2);
      QCOMPARE(second.path().filename().string(), std::string("sfumato-batch.2-of-2.jsonl"));
      second.begin(plan.items[1], plan.recipe_hash);
      second.end(plan.items[1], plan.recipe_hash, {});
    }
    const Journal whole(at("out"), 1, 1);
    QCOMPARE(whole.recall(plan.items[1], plan.recipe_hash).state, PriorResult::State::done);
  }
};

QTEST_GUILESS_MAIN(TestBatchJournal)
#include "test_batch_journal.moc"
