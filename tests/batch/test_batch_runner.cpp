// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans that are run: every output as one render makes it, failures that stop nothing, memory
// within its limit, cancelling and going on.
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "batch/runner.hpp"
#include "batch_folder.hpp"
#include "support/hostile_files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
namespace fs = std::filesystem;

namespace {

// Hears everything; may act on it.
struct RecordingListener final : BatchListener {
  std::map<std::int64_t, ItemResult> results;
  std::set<std::int64_t> in_work;
  std::size_t most_in_work = 0;
  std::atomic<std::size_t> now_in_work = 0;
  std::vector<std::string> sentences;
  std::function<void(const BatchItem&)> on_end;
  std::function<void(ItemStage)> on_stage;

  void entered(const BatchItem& item, ItemStage stage) override {
    if (on_stage) on_stage(stage);
    in_work.insert(item.number);
    most_in_work = std::max(most_in_work, in_work.size());
    now_in_work = in_work.size();
  }
  void ended(const BatchItem& item, const ItemResult& result) override {
    in_work.erase(item.number);
    now_in_work = in_work.size();
    results[item.number] = result;
    if (on_end) on_end(item);
  }
  void said(const Message& sentence) override { sentences.push_back(in_english(sentence)); }
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

class TestBatchRunner : public BatchFolderTest {
  Q_OBJECT

  void picture(const std::string& name, int width, int height, std::uint32_t seed = 1) const {
    fs::create_directories(at(name).parent_path());
    Image image = scene({width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}, seed);
    const auto out = create_picture(at(name), {}, image.format);
    out->write(image.view());
    out->commit();
  }
  BatchOptions options() const {
    BatchOptions out;
    out.session.device = "reference";
    out.jobs = 3;
    return out;
  }
  BatchSummary run(const BatchRequest& asked, const BatchPlan& plan, RecordingListener& ear,
                   BatchOptions with, Journal* journal = nullptr) const {
    with.write = asked.write;
    BatchRunner runner(plan, asked.recipe, std::move(with), journal, ear);
    return runner.run();
  }
  // What lies below a folder, hidden files too.
  QStringList files(const char* folder) const {
    QStringList out;
    for (const auto& entry : fs::recursive_directory_iterator(at(folder))) {
      if (entry.is_regular_file()) {
        out << QString::fromStdString(entry.path().lexically_relative(at(folder)).string());
      }
    }
    out.sort();
    return out;
  }

 private Q_SLOTS:
  // PoCL makes two devices of one processor, before it is asked for the first time.
  void initTestCase() { qputenv("POCL_DEVICES", "basic basic"); }
  void init() { new_folder(); }

  void outputs_equal_single_renders() {
    for (int i = 0; i < 9; ++i) {
      picture("in/" + std::to_string(i) + ".png", 60 + 7 * i, 50 - 3 * i, 1u + unsigned(i));
    }
    picture("in/sub/x.tif", 33, 20);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    RecordingListener ear;
    const BatchSummary summary = run(asked, plan, ear, options());
    QCOMPARE(summary.done, std::int64_t{10});
    QCOMPARE(summary.failed, std::int64_t{0});
    QCOMPARE(ear.results.size(), std::size_t{10});
    QVERIFY(ear.in_work.empty());
    Session session(options().session);
    for (const BatchItem& item : plan.items) {
      const fs::path single = at("single" + item.target.extension().string());
      const auto in = open_picture(item.source.path);
      WriteOptions write;
      write.overwrite = true;
      const auto out = create_picture(single, write, *in);
      session.render(asked.recipe, *in, *out);
      out->commit();
      QCOMPARE(content(item.target), content(single));
    }
    QCOMPARE(files("out").size(), 10);
  }

  // Each frame of a sequence has the noise of its number, unless the recipe names one.
  void noise_moves_from_frame_to_frame() {
    for (const int number : {7, 8, 12}) {
      picture("in/shot." + std::to_string(number) + ".png", 40, 30);
    }
    Session session(options().session);
    for (const std::string chosen : {"0", "3"}) {
      BatchRequest asked = request();
      asked.inputs.words = {at("in/shot.#.png").string()};
      asked.recipe = one_step("noise", {{"amount", "0.1"}, {"frame_number", chosen}});
      asked.folder = at("out" + chosen);
      const BatchPlan plan = plan_batch(asked);
      QCOMPARE(plan.items.size(), std::size_t{3});
      RecordingListener ear;
      QCOMPARE(run(asked, plan, ear, options()).done, std::int64_t{3});
      for (const BatchItem& item : plan.items) {
        const std::string frame = chosen == "0" ? std::to_string(*item.source.frame) : chosen;
        const auto in = open_picture(item.source.path);
        WriteOptions write;
        write.overwrite = true;
        const auto out = create_picture(at("single.png"), write, *in);
        session.render(one_step("noise", {{"amount", "0.1"}, {"frame_number", frame}}), *in, *out);
        out->commit();
        QVERIFY2(content(item.target) == content(at("single.png")), frame.c_str());
      }
    }
  }

  void one_bad_file_stops_nothing() {
    for (int i = 0; i < 6; ++i) picture("in/" + std::to_string(i) + ".png", 40, 30);
    std::ofstream(at("in/1.png")) << "no picture";
    fs::resize_file(at("in/3.png"), 200);
    std::ofstream(at("in/4.png"), std::ios::trunc);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    RecordingListener ear;
    const BatchSummary summary = run(asked, plan, ear, options());
    QCOMPARE(summary.done, std::int64_t{3});
    QCOMPARE(summary.failed, std::int64_t{3});
    for (const int number : {2, 4, 5}) {
      const ItemResult& result = ear.results.at(number);
      QCOMPARE(result.state, ItemResult::State::failed);
      QVERIFY(in_english(result.reason).find(std::to_string(number - 1) + ".png") !=
              std::string::npos);
    }
    QCOMPARE(files("out").join(u' '), QStringLiteral("0_soft.png 2_soft.png 5_soft.png"));
  }

  // A file is replaced after its pages were counted, or after its first frame was read.
  void pictures_of_one_file_do_not_come_from_two() {
    const auto pages = [](char gray) {
      const std::string page = "P5 8 8 255\n" + std::string(64, gray);
      return page + page + page;
    };
    make("in/pages.pgm", pages(10));
    BatchRequest asked = request();
    asked.inputs.pages = [](const fs::path& path) { return count_pages(path, {}); };
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(plan.items.size(), std::size_t{3});
    make("other", pages(20));
    fs::rename(at("other"), at("in/pages.pgm"));
    RecordingListener ear;
    QCOMPARE(run(asked, plan, ear, options()).failed, std::int64_t{3});
    for (const auto& [number, result] : ear.results) {
      const std::string why = in_english(result.reason);
      QVERIFY2(why.find("pages.pgm\": the file was replaced") != std::string::npos, why.c_str());
    }
    QVERIFY(!fs::exists(at("out")));

    for (const char* name : {"in/a.gif", "b.gif"}) {
      QCOMPARE(QProcess::execute(
                   QStringLiteral("convert"),
                   {QStringLiteral("-size"), QStringLiteral("8x8"), QStringLiteral("xc:red"),
                    QStringLiteral("xc:blue"), QString::fromStdString(at(name).string())}),
               0);
    }
    asked.inputs.words = {at("in/a.gif").string()};
    asked.inputs.join = true;
    asked.join = "webp";
    const BatchPlan joined = plan_batch(asked);
    QCOMPARE(joined.items.size(), std::size_t{1});
    RecordingListener second;
    second.on_stage = [this](ItemStage stage) {
      std::error_code gone;
      if (stage == ItemStage::filtering) fs::rename(at("b.gif"), at("in/a.gif"), gone);
    };
    QCOMPARE(run(asked, joined, second, options()).failed, std::int64_t{1});
    const std::string why = in_english(second.results.begin()->second.reason);
    QVERIFY2(why.find("a.gif\": the file was replaced") != std::string::npos, why.c_str());
    QCOMPARE(files("out"), QStringList());
  }

  // Their decoders end; the batch does not, nor does one that goes on with it.
  void files_that_crash_their_reader_stop_nothing() {
    for (int i = 0; i < 6; ++i) picture("in/" + std::to_string(i) + ".png", 40, 30);
    for (const char* name : {"in/0", "in/3", "in/5"}) {
      fs::remove(at(std::string(name) + ".png"));
      std::ofstream(at(std::string(name) + ".pic"), std::ios::binary) << crashing_pic();
    }
    BatchRequest asked = request();
    asked.inputs.words.clear();
    for (int i = 0; i < 6; ++i) {
      const bool hostile = i == 0 || i == 3 || i == 5;
      asked.inputs.words.push_back(
          at("in/" + std::to_string(i) + (hostile ? ".pic" : ".png")).string());
    }
    for (int time = 0; time < 2; ++time) {
      fs::remove_all(at("out"));
      const BatchPlan plan = plan_batch(asked);
      RecordingListener ear;
      const BatchSummary summary = run(asked, plan, ear, options());
      QCOMPARE(summary.done, std::int64_t{3});
      QCOMPARE(summary.failed, std::int64_t{3});
      for (const int number : {1, 4, 6}) {
        const std::string reason = in_english(ear.results.at(number).reason);
        QVERIFY2(reason.find("its decoder ended (Softimage PIC)") != std::string::npos,
                 reason.c_str());
      }
      QCOMPARE(files("out").join(u' '), QStringLiteral("1_soft.png 2_soft.png 4_soft.png"));
    }
  }

  void a_folder_that_may_not_be_written_is_the_files_failure() {
    picture("in/a.png", 20, 20);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    std::ofstream(at("out")) << "in the way";
    RecordingListener ear;
    QCOMPARE(run(asked, plan, ear, options()).failed, std::int64_t{1});
    const std::string reason = in_english(ear.results.at(1).reason);
    QVERIFY2(reason.find("/out: the folder cannot be made (Not a directory)") != std::string::npos,
             reason.c_str());
  }

  void memory_stays_within_its_limit() {
    for (int i = 0; i < 6; ++i) picture("in/" + std::to_string(i) + ".ppm", 900, 700);
    picture("in/big.ppm", 4000, 3000);
    BatchRequest asked = request();
    asked.recipe = one_step("grayscale", {{"mix", "0.5"}});
    const BatchPlan plan = plan_batch(asked);
    // So little that the least counts, and the large one is filtered in strips.
    BatchOptions with = options();
    with.memory_limit = std::size_t{1} << 20;
    RecordingListener ear;
    const BatchSummary summary = run(asked, plan, ear, with);
    QCOMPARE(summary.done, std::int64_t{7});
    QVERIFY(summary.most_memory <= std::size_t{64} << 20);
    QVERIFY(summary.most_memory > 0);
  }

  // A role's picture may be wanted in one piece.
  void memory_of_roles_counts() {
    picture("in/a.png", 300, 200);
    picture("guide.ppm", 300, 200);
    BatchRequest asked = request();
    std::size_t most[2] = {};
    for (const bool with_guide : {false, true}) {
      asked.recipe = one_step(with_guide ? "joint_bilateral" : "bilateral", Values());
      const ImageRef guide{at("guide.ppm").string(), {}};
      if (with_guide) asked.recipe.steps[0].values.set("guide", guide);
      asked.folder = at(with_guide ? "with" : "without");
      RecordingListener ear;
      const BatchSummary summary = run(asked, plan_batch(asked), ear, options());
      QCOMPARE(summary.done, std::int64_t{1});
      most[with_guide ? 1 : 0] = summary.most_memory;
    }
    QVERIFY(most[1] >= most[0] + 300 * 200 * 3);
  }

  void a_streamed_picture_is_the_same() {
    picture("in/big.ppm", 4000, 3000);
    BatchRequest asked = request();
    asked.recipe = one_step("grayscale", {{"mix", "0.5"}});
    const BatchPlan held = plan_batch(asked);
    RecordingListener ear;
    QCOMPARE(run(asked, held, ear, options()).done, std::int64_t{1});
    asked.folder = at("streamed");
    const BatchPlan streamed = plan_batch(asked);
    BatchOptions with = options();
    with.memory_limit = 1;
    QCOMPARE(run(asked, streamed, ear, with).done, std::int64_t{1});
    QVERIFY(content(at("streamed/big_soft.ppm")) == content(at("out/big_soft.ppm")));
  }

  void cancelling_leaves_whole_outputs_alone_and_resuming_makes_the_rest() {
    for (int i = 0; i < 12; ++i) picture("in/" + std::to_string(i) + ".png", 200, 150);
    const BatchRequest asked = request();
    {
      Journal journal(at("out"), 1, 1);
      const BatchPlan plan = plan_batch(asked);
      RecordingListener ear;
      BatchRunner runner(plan, asked.recipe, options(), &journal, ear);
      ear.on_end = [&](const BatchItem&) {
        if (ear.results.size() == 3) runner.cancel();
      };
      const BatchSummary summary = runner.run();
      QVERIFY(summary.done >= 3 && summary.cancelled > 0);
      QCOMPARE(summary.done + summary.cancelled, std::int64_t{12});
      QCOMPARE(files("out").size(), static_cast<int>(summary.done) + 1);  // and the journal
    }
    Journal journal(at("out"), 1, 1);
    const BatchPlan rest = plan_batch(asked, [&](const BatchItem& item, const std::string& hash) {
      return journal.recall(item, hash);
    });
    RecordingListener ear;
    const BatchSummary summary = run(asked, rest, ear, options(), &journal);
    QCOMPARE(summary.done + static_cast<std::int64_t>(rest.skipped.size()), std::int64_t{12});
    QCOMPARE(files("out").size(), 13);
  }

  void pausing_holds_what_was_not_begun() {
    constexpr int all = 40;
    for (int i = 0; i < all; ++i) picture("in/" + std::to_string(i) + ".png", 60, 40);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    RecordingListener ear;
    BatchRunner runner(plan, asked.recipe, options(), nullptr, ear);
    std::atomic<int> ended = 0;
    ear.on_end = [&](const BatchItem&) {
      if (++ended == 1) runner.pause(true);
    };
    int held = 0, later = 0;
    std::jthread watcher([&] {
      // What was started is finished; then nothing comes any more.
      while (ended == 0) QTest::qSleep(10);
      for (int quiet = 0; quiet < 50; quiet = ear.now_in_work == 0 ? quiet + 1 : 0) {
        QTest::qSleep(10);
      }
      held = ended;
      QTest::qSleep(500);
      later = ended;
      runner.pause(false);
    });
    QCOMPARE(runner.run().done, std::int64_t{all});
    watcher.join();
    QVERIFY2(held < all, std::to_string(held).c_str());
    QCOMPARE(later, held);
  }

  void seconds_are_those_of_work() {
    for (int i = 0; i < 20; ++i) picture("in/" + std::to_string(i) + ".png", 300, 200);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    RecordingListener ear;
    BatchOptions with = options();
    with.jobs = 1;
    const BatchSummary summary = run(asked, plan, ear, with);
    double seconds = 0;
    for (const auto& [number, result] : ear.results) {
      QVERIFY(result.seconds > 0);
      seconds += result.seconds;
    }
    // Of one thread that filters, and one that reads and writes.
    QVERIFY2(seconds <= 2 * summary.seconds, std::to_string(seconds / summary.seconds).c_str());
  }

  void a_limit_that_cannot_be_kept_is_told() {
    picture("in/a.png", 20, 20);
    for (const std::size_t megabytes : {100, 4000}) {
      BatchRequest asked = request();
      asked.folder = at(std::to_string(megabytes));
      BatchOptions with = options();
      with.memory_limit = megabytes << 20;
      RecordingListener ear;
      QCOMPARE(run(asked, plan_batch(asked), ear, with).done, std::int64_t{1});
      const bool told =
          std::any_of(ear.sentences.begin(), ear.sentences.end(), [](const std::string& sentence) {
            return sentence.starts_with("a limit of 100 MB of main memory cannot be kept");
          });
      QCOMPARE(told, megabytes == 100);
    }
  }

  void roles_go_with_their_pictures() {
    for (const char* name : {"in/a.png", "in/b.png"}) picture(name, 50, 40);
    picture("guides/a_G.png", 50, 40, 9);
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
    asked.roles["guide"] = {"{folder}/../guides/{stem}_G.png", ""};
    const BatchPlan plan = plan_batch(asked);
    RecordingListener ear;
    const BatchSummary summary = run(asked, plan, ear, options());
    QCOMPARE(summary.done, std::int64_t{1});
    QVERIFY(in_english(ear.results.at(2).reason).find("b_G.png") != std::string::npos);
  }

  void a_full_journal_ends_the_run() {
    picture("in/a.png", 20, 20);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    fs::create_directories(at("out"));
    fs::create_symlink("/dev/full", at("out/sfumato-batch.jsonl"));
    Journal journal(at("out"), 1, 1);
    RecordingListener ear;
    QVERIFY_THROWS_EXCEPTION(FileError, run(asked, plan, ear, options(), &journal));
    QVERIFY(!fs::exists(at("out/a_soft.png")));
  }

  void every_device_of_the_machine_takes_part() {
    constexpr int all = 40;
    for (int i = 0; i < all; ++i) picture("in/" + std::to_string(i) + ".png", 300, 200);
    const BatchRequest asked = request();
    const BatchPlan plan = plan_batch(asked);
    BatchOptions with = options();
    with.session.device = "auto";
    const int devices = Session(with.session).device_count();
    if (devices == 0) SKIP_WITHOUT("an OpenCL device");
    RecordingListener ear;
    QCOMPARE(run(asked, plan, ear, with).done, std::int64_t{all});
    std::set<std::string> used;
    for (const auto& [number, result] : ear.results) {
      QVERIFY(!result.device.empty() && result.device.find("reference") == std::string::npos);
      used.insert(result.device);
    }
    QCOMPARE(static_cast<int>(used.size()), devices);
  }
};

QTEST_GUILESS_MAIN(TestBatchRunner)
#include "test_batch_runner.moc"
