// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a batch would do: outputs' names, clashes, shards, reports.
#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "batch/report.hpp"
#include "batch_folder.hpp"
#include "params/json_text.hpp"

using namespace sfumato;
using namespace sfumato::testing;
namespace fs = std::filesystem;

class TestBatchPlan : public BatchFolderTest {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    new_folder();
    for (const char* name : {"in/a.jpg", "in/b.png", "in/sub/a.jpg", "in/z.cr2"}) make(name);
  }

  void outputs_mirror_the_folders() {
    const BatchPlan plan = plan_batch(request());
    std::vector<fs::path> targets;
    for (const BatchItem& item : plan.items) {
      targets.push_back(item.target.lexically_relative(at("out")));
    }
    QCOMPARE(targets,
             (std::vector<fs::path>{"a_soft.jpg", "b_soft.png", "sub/a_soft.jpg", "z_soft.tif"}));
    QCOMPARE(plan.items[2].number, std::int64_t{3});
    QCOMPARE(plan.items[0].stamp.size, std::uintmax_t{1});
    QVERIFY(plan.items[0].stamp.time > 0);
    QVERIFY(!fs::exists(at("out")));
  }

  void formats_are_chosen() {
    BatchRequest asked = request();
    asked.extension = "exr";
    QCOMPARE(names(plan_batch(asked).items)[1], std::string("b_soft.exr"));
    asked.extension = "exe";
    QVERIFY(fault(asked).contains(QStringLiteral("cannot be written")));
    asked.extension = "jpg";
    asked.write.bits = SampleType::f32;
    QVERIFY(fault(asked).contains(QStringLiteral("JPEG holds 8-bit")));
  }

  void existing_outputs_are_refused_first() {
    make("out/a_soft.jpg");
    make("out/sub/a_soft.jpg");
    const Names said = clashes(request());
    QCOMPARE(said.size(), std::size_t{2});
    QVERIFY(said[0].find("out/a_soft.jpg: the file exists already") != std::string::npos);
  }

  void existing_outputs_are_skipped_renamed_or_replaced() {
    make("out/a_soft.jpg");
    make("out/a_soft_2.jpg");
    BatchRequest asked = request();
    asked.existing = Existing::skip;
    BatchPlan plan = plan_batch(asked);
    QCOMPARE(names(plan.skipped), Names{"a_soft.jpg"});
    QCOMPARE(plan.items.size(), std::size_t{3});
    asked.existing = Existing::rename;
    plan = plan_batch(asked);
    QCOMPARE(names(plan.items)[0], std::string("a_soft_3.jpg"));
    QVERIFY(!plan.items[0].replaces);
    asked.existing = Existing::overwrite;
    plan = plan_batch(asked);
    QCOMPARE(names(plan.items)[0], std::string("a_soft.jpg"));
    QVERIFY(plan.items[0].replaces && !plan.items[1].replaces);
  }

  void two_inputs_never_share_an_output() {
    BatchRequest asked = request();
    asked.name = NameTemplate("{stem}.{ext}");
    for (const Existing policy : {Existing::refuse, Existing::skip, Existing::overwrite}) {
      asked.existing = policy;
      const Names said = clashes(asked);
      QCOMPARE(said.size(), std::size_t{1});
      QVERIFY(said[0].find("the output of both") != std::string::npos);
    }
    asked.existing = Existing::rename;
    QCOMPARE(names(plan_batch(asked).items), (Names{"a.jpg", "b.png", "a_2.jpg", "z.tif"}));
  }

  void inputs_are_replaced_only_by_themselves() {
    BatchRequest asked = request();
    asked.folder = at("in");
    asked.name = NameTemplate("{folder}/{stem}.{ext}");
    QVERIFY(clashes(asked)[0].find("the input itself") != std::string::npos);
    asked.existing = Existing::overwrite;
    QVERIFY(plan_batch(asked).items[0].replaces);
    // b.png's output would be a.jpg's input.
    asked.inputs.words = {at("in/a.jpg").string(), at("in/b.png").string()};
    asked.name = NameTemplate("{counter}.png");
    fs::rename(at("in/b.png"), at("in/1.png"));
    asked.inputs.words[1] = at("in/1.png").string();
    QVERIFY(clashes(asked)[0].find("itself an input") != std::string::npos);
  }

  void shards_divide_a_plan() {
    const Names all = names(plan_batch(request()).items);
    Names together;
    for (int shard = 1; shard <= 3; ++shard) {
      BatchRequest asked = request();
      asked.shard = shard;
      asked.shards = 3;
      for (const BatchItem& item : plan_batch(asked).items) {
        together.push_back(std::to_string(item.number) + item.target.filename().string());
        // What another shard has made meanwhile is no clash.
        make("out/" + item.target.lexically_relative(at("out")).string());
      }
    }
    std::sort(together.begin(), together.end());
    QCOMPARE(together.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      QCOMPARE(together[i], std::to_string(i + 1) + all[i]);
    }
    BatchRequest wrong = request();
    wrong.shard = 4;
    wrong.shards = 3;
    QVERIFY(fault(wrong).contains(QStringLiteral("no shard 4 of 3")));
  }

  void roles_are_found_by_pattern() {
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
    asked.roles["normal"] = {"{folder}/{stem}_N.exr", "N"};
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(plan.items[2].roles.at("normal"), (ImageRef{at("in/sub/a_N.exr").string(), "N"}));
    asked.roles["kernel"] = {"k.png", ""};
    QVERIFY(fault(asked).contains(QStringLiteral("takes a picture as \"kernel\"")));
  }

  void pictures_for_roles_are_no_inputs() {
    for (const char* name : {"in/a_N.jpg", "in/sub/a_N.jpg", "in/x_N.png"}) make(name);
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
    asked.roles["normal"] = {"{folder}/{stem}_N.jpg", ""};
    QCOMPARE(names(plan_batch(asked).items),
             (Names{"a_soft.jpg", "b_soft.png", "a_soft.jpg", "x_N_soft.png", "z_soft.tif"}));
    // Rows of a list keep their numbers.
    asked.found = find_inputs(asked.inputs).files;
    const BatchPlan rows = plan_batch(asked);
    QCOMPARE(rows.for_roles.size(), std::size_t{2});
    QCOMPARE(rows.for_roles[0].number, std::int64_t{2});
    QCOMPARE(rows.items[1].number, std::int64_t{3});
  }

  void a_picture_may_play_a_role_for_itself() {
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
    asked.roles["guide"] = {"{folder}/{stem}.jpg", ""};
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(names(plan.items), (Names{"a_soft.jpg", "b_soft.png", "a_soft.jpg", "z_soft.tif"}));
    QVERIFY(plan.for_roles.empty());
    // Of two, each the other's.
    fs::remove_all(at("in"));
    asked.inputs.words = {make("in/a.jpg").string(), make("in/a.png").string()};
    asked.roles["guide"] = {"{folder}/a.jpg", ""};
    asked.roles["normal"] = {"{folder}/a.png", ""};
    QVERIFY2(fault(asked).contains(QStringLiteral("every input is a role picture")),
             qPrintable(fault(asked)));
  }

  void patterns_of_roles_have_the_sources_own_extension() {
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
    asked.extension = "exr";
    asked.roles["guide"] = {"{folder}/{stem}_G.{ext}", ""};
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(plan.items[0].roles.at("guide").path, at("in/a_G.jpg").string());
    QCOMPARE(plan.items[3].roles.at("guide").path, at("in/z_G.cr2").string());
  }

  void what_cannot_be_reached_is_an_item_whatever_lies_there() {
    fs::create_symlink("nowhere.png", at("in/dangling.png"));
    make("out/dangling_soft.png");
    BatchRequest asked = request();
    asked.existing = Existing::skip;
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(plan.items.size(), std::size_t{5});
    QVERIFY(!plan.items[2].source.fault.empty());
  }

  void missing_frames_are_in_the_report() {
    make("seq/s.1.exr");
    BatchRequest asked = request();
    asked.inputs.words = {at("seq/s.1-3#.exr").string()};
    const BatchPlan plan = plan_batch(asked);
    const auto json = parse_json(Report(plan).json({}));
    QCOMPARE(json["warnings"].size(), std::size_t{1});
    QVERIFY(json["warnings"][0].get<std::string>().find("missing: 2, 3") != std::string::npos);
  }

  void pictures_for_roles_are_not_replaced() {
    BatchRequest asked = request();
    asked.recipe = one_step("joint_bilateral", std::vector<std::pair<std::string, std::string>>{});
    asked.inputs.words = {make("in/p.png").string()};
    asked.folder = at("in");
    make("in/p_g.png");
    asked.roles["guide"] = {"{folder}/{stem}_g.png", {}};
    asked.name = NameTemplate("{stem}_g.{ext}");
    asked.existing = Existing::overwrite;
    QCOMPARE(clashes(asked),
             Names{at("in/p_g.png").string() + ": itself a role picture of this batch"});
    // By the recipe itself, too.
    asked.roles.clear();
    asked.recipe = one_step("joint_bilateral", {{"guide", at("in/p_g.png").string()}});
    QCOMPARE(clashes(asked).size(), std::size_t{1});
    asked.name = NameTemplate("{stem}_x.{ext}");
    QVERIFY(clashes(asked).empty());
  }

  void what_clashes_is_left_out_on_demand() {
    BatchRequest asked = request();
    asked.extension = "png";
    make("in/a.tif");
    QCOMPARE(clashes(asked).size(), std::size_t{1});
    asked.leave_out_clashing = true;
    const BatchPlan plan = plan_batch(asked);
    QCOMPARE(plan.items.size(), std::size_t{4});
    QCOMPARE(plan.clashes.size(), std::size_t{1});
  }

  void only_reports_are_replaced_by_reports() {
    const BatchPlan plan = plan_batch(request());
    const Report report(plan);
    std::ofstream(at("r.json")) << "{\n  \"sfumato_recipe\": 1\n}\n";
    QVERIFY_THROWS_EXCEPTION(BatchError, report.write(at("r.json"), {}));
    QVERIFY_THROWS_EXCEPTION(BatchError, Report::check(at("r.json")));
    for (const char* name : {"new.json", "new.csv"}) {
      report.write(at(name), {});
      report.write(at(name), report.summary());
      QVERIFY(fs::file_size(at(name)) > 100);
    }
    QCOMPARE(report.summary().cancelled, std::int64_t{4});
    QCOMPARE(std::distance(fs::directory_iterator(at("")), {}), std::ptrdiff_t{4});
  }

  void frames_of_movies_are_numbered() {
    make("in/m.mp4");
    BatchRequest asked = request();
    asked.inputs.words = {at("in/m.mp4").string()};
    asked.inputs.movie_frames = [](const fs::path&) { return MovieCount{2}; };
    QCOMPARE(names(plan_batch(asked).items), (Names{"m_soft_00001.png", "m_soft_00002.png"}));
    asked.extension = "tif";
    asked.name = NameTemplate("{frame:3}.{ext}");
    QCOMPARE(names(plan_batch(asked).items), (Names{"001.tif", "002.tif"}));
  }

  void a_part_of_a_plan_is_a_plan() {
    const BatchPlan plan = plan_batch(request());
    const BatchPlan part =
        part_of(plan, [](const BatchItem& item) { return item.number % 2 == 0; });
    QCOMPARE(names(part.items), (Names{"b_soft.png", "z_soft.tif"}));
    QCOMPARE(part.items[1].number, std::int64_t{4});
    QCOMPARE(part.recipe_hash, plan.recipe_hash);
  }

  void what_would_make_shards_differ_is_refused() {
    BatchRequest asked = request();
    asked.shards = 2;
    asked.existing = Existing::rename;
    QVERIFY(fault(asked).contains(QStringLiteral("cannot rename")));
    asked.existing = Existing::skip;
    asked.folder = at("in");
    QVERIFY(fault(asked).contains(QStringLiteral("different folders")));
    asked.folder = at("in/out");
    QCOMPARE(fault(asked), QStringLiteral("none"));
  }

  void the_hash_is_of_what_makes_pixels() {
    const std::string hash = plan_batch(request()).recipe_hash;
    BatchRequest other = request();
    other.recipe_name = "another name";
    other.shards = 2;
    QCOMPARE(plan_batch(other).recipe_hash, hash);
    other.write.quality = 80;
    QVERIFY(plan_batch(other).recipe_hash != hash);
    // The same words mean other pictures elsewhere.
    const fs::path before = fs::current_path();
    std::set<std::string> of_roles;
    for (const char* folder : {"in", "in/sub"}) {
      fs::current_path(at(folder));
      other = request();
      other.recipe = one_step("joint_bilateral", {{"sigma", "2"}});
      other.roles["guide"] = {"{stem}_G.png", ""};
      of_roles.insert(plan_batch(other).recipe_hash);
      other.roles.clear();
      other.recipe = one_step("joint_bilateral", {{"guide", "g.png"}});
      of_roles.insert(plan_batch(other).recipe_hash);
    }
    fs::current_path(before);
    QCOMPARE(of_roles.size(), std::size_t{4});
    other = request();
    other.recipe = one_step("gaussian", {{"sigma", "3"}});
    QVERIFY(plan_batch(other).recipe_hash != hash);
  }

  void another_input_is_not_replaced_through_a_link() {
    fs::create_directories(at("out"));
    fs::create_symlink("../in/b.png", at("out/a_soft.jpg"));
    BatchRequest asked = request();
    asked.existing = Existing::overwrite;
    const Names said = clashes(asked);
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY(said[0].find("out/a_soft.jpg: itself an input") != std::string::npos);
    // The folder is a link.
    fs::remove_all(at("out"));
    fs::create_directory_symlink(at("in"), at("out"));
    make("in/a_soft.jpg");
    asked.inputs.words = {at("in/a.jpg").string(), at("in/a_soft.jpg").string()};
    QVERIFY(clashes(asked)[0].find("out/a_soft.jpg: itself an input") != std::string::npos);
  }

  void two_links_to_one_file_are_one_output() {
    make("out/a_soft.jpg");
    fs::create_symlink("a_soft.jpg", at("out/b_soft.png"));
    BatchRequest asked = request();
    asked.existing = Existing::overwrite;
    const Names said = clashes(asked);
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY(said[0].find("the output of both " + at("in/a.jpg").string() + " and " +
                         at("in/b.png").string()) != std::string::npos);
  }

  void letter_case_tells_names_apart_where_it_does() {
    make("in/A.jpg");
    QCOMPARE(clashes(request()), Names{});
    QVERIFY(!fs::exists(at("out")));
    for (const auto& entry : fs::directory_iterator(at(""))) {
      QCOMPARE(entry.path().filename().string(), std::string("in"));
    }
  }

  void the_output_folder_is_known_by_any_name() {
    make("in/out/made.png");
    fs::create_directory_symlink(at("in"), at("link"));
    BatchRequest asked = request();
    for (const char* folder : {"in/out", "in/out/", "link/out", "link/../in/out/."}) {
      asked.folder = at(folder);
      asked.inputs.output_folder = asked.folder;
      QCOMPARE(plan_batch(asked).items.size(), std::size_t{4});
      asked.inputs.output_folder.clear();
      QCOMPARE(plan_batch(asked).items.size(), std::size_t{4});
    }
    asked.inputs.words = {at("in/*/*.png").string()};
    QCOMPARE(fault(asked), QStringLiteral("\"%1\": no file matches this name")
                               .arg(QString::fromStdString(asked.inputs.words[0])));
  }

  void formats_are_checked_without_a_folder() {
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", "/nowhere");
    BatchRequest asked = request();
    asked.extension = "png";
    QCOMPARE(fault(asked), QStringLiteral("none"));
    asked.extension = "xyz";
    QVERIFY(fault(asked).startsWith(QStringLiteral("\"*.xyz\": files ending in \".xyz\"")));
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
  }

  void reports_tell_of_every_file() {
    make("out/z_soft.tif");
    BatchRequest asked = request();
    asked.existing = Existing::skip;
    const BatchPlan plan = plan_batch(asked);
    Report report(plan);
    ItemResult failed{ItemResult::State::failed,
                      message({"test.broken", "it is {how}, really"}, "\"broken\""),
                      {},
                      0.25,
                      0,
                      {}};
    report.add(plan.items[0], {ItemResult::State::done,
                               {},
                               {foreign_message("a"), foreign_message("b")},
                               1.5,
                               6,
                               "GPU, big"});
    report.add(plan.items[1], failed);
    const auto json = parse_json(report.json({1, 1, 1, 2.0, 6.0, 0}));
    QCOMPARE(json["files"].size(), std::size_t{4});
    QCOMPARE(json["files"][0]["warnings"][1].get<std::string>(), std::string("b"));
    QCOMPARE(json["files"][1]["reason"].get<std::string>(), in_english(failed.reason));
    const auto& reason = json["files"][1]["reason_message"];
    QCOMPARE(reason["id"].get<std::string>(), std::string("test.broken"));
    QCOMPARE(reason["values"]["how"].get<std::string>(), std::string("\"broken\""));
    QCOMPARE(json["files"][2]["result"].get<std::string>(), std::string("cancelled"));
    QCOMPARE(json["files"][3]["result"].get<std::string>(), std::string("skipped"));
    const QStringList lines = QString::fromStdString(report.csv()).split(QStringLiteral("\r\n"));
    QCOMPARE(lines.size(), 6);
    QVERIFY(lines[1].endsWith(QStringLiteral(",done,,1.500,\"GPU, big\",a; b")));
    QVERIFY(lines[2].contains(QStringLiteral("\"it is \"\"broken\"\", really\"")));
    report.write(at("r.csv"), {});
    QVERIFY(fs::file_size(at("r.csv")) == report.csv().size());
    QVERIFY_THROWS_EXCEPTION(BatchError, report.write(at("r.txt"), {}));
    QVERIFY_THROWS_EXCEPTION(FileError, report.write(at("none/r.json"), {}));
  }
};

QTEST_GUILESS_MAIN(TestBatchPlan)
#include "test_batch_plan.moc"
