// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch: its inputs, outputs, reports and refusals.
#include <sys/file.h>
#include <sys/stat.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "batch_program.hpp"
#include "support/skips.hpp"

class TestBatch : public BatchTest {
  Q_OBJECT

  QStringList lines_of(const QString& text) const {
    return text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  }
  // Temporary files of outputs, current or left over.
  QStringList hidden(const QString& folder) const {
    return QStringList(outputs(folder).keys()).filter(QRegularExpression("^\\."));
  }
  bool there(const QString& name) const { return QFile::exists(path(name)); }

 private Q_SLOTS:
  void init() {
    for (const char* folder : {"in", "out", "other", "hot"}) QDir(path(folder)).removeRecursively();
    make_folder("deep");
    make_inputs(6, 24, 18);
  }

  void outputs_are_what_single_commands_make() {
    const Run r = run(command("out", {"in", "--name", "{stem}.{ext}", "--format", "png"}));
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(r.err.contains("6 done"));
    for (const char* name : {"000", "003", "005"}) {
      const QString single = path(QString("single_%1.png").arg(name));
      QCOMPARE(run({"gaussian", path(QString("in/%1.ppm").arg(name)), single, "--sigma", "2",
                    "--device", "reference"})
                   .status,
               0);
      QVERIFY(read(QString("out/%1.png").arg(name)) == read(QString("single_%1.png").arg(name)));
    }
  }

  void recipes_and_presets_give_their_names() {
    write("soft.json", R"({"sfumato": 1, "steps": [{"filter": "gaussian", "version": 1,
                           "enabled": true, "values": {"sigma": 2}}]})");
    QCOMPARE(run({"batch", "soft.json", "in/000.ppm", "-o", "out", "--device", "reference"}).status,
             0);
    QVERIFY(there("out/000_soft.ppm"));
    QCOMPARE(
        run({"batch", "sepia", "in/000.ppm", "-o", "out", "--device", "reference", "-q"}).status,
        0);
    QVERIFY(there("out/000_sepia.ppm"));
  }

  void a_dry_run_changes_nothing() {
    const auto before = snapshot();
    const Run r = run(command("out", {"in", "--dry-run"}));
    QCOMPARE(r.status, 0);
    QVERIFY(r.out.contains(path("in/000.ppm") + " -> " + path("out/000_gaussian.ppm")));
    QVERIFY(r.out.contains("6 files to make"));
    QVERIFY(snapshot() == before);
    const Run json = run(command("out", {"in", "--dry-run", "--json-lines"}));
    QCOMPARE(lines_of(json.out).size(), 6);
    QCOMPARE(QJsonDocument::fromJson(lines_of(json.out)[2].toUtf8())["number"].toInt(), 3);
  }

  void files_come_from_a_list_on_standard_input() {
    QProcess process;
    start(process, command("out", {"--files-from", "-", "-q"}));
    process.write("in/001.ppm\nin/004.ppm\r\n\n");
    process.closeWriteChannel();
    QCOMPARE(ended(process), 0);
    QCOMPARE(QStringList(outputs("out").keys()),
             (QStringList{"001_gaussian.ppm", "004_gaussian.ppm"}));
  }

  void a_list_without_names_is_reported() {
    QProcess process;
    start(process, command("out", {"--files-from", "-"}));
    process.write("\n\n");
    process.closeWriteChannel();
    QCOMPARE(ended(process), 2);
    QCOMPARE(process.readAllStandardError(),
             QByteArray("sfumato: standard input: the list of files is empty\n"));
  }

  void what_holds_for_all_files_is_said_once() {
    for (const char* name : {"a", "b", "c"}) {
      QCOMPARE(QProcess::execute("oiiotool", {path("in/000.ppm"), "-d", "uint32", "-o",
                                              path(QString("deep/%1.tif").arg(name))}),
               0);
    }
    const Run r = run(command("out", {"deep", "--format", "png"}));
    QCOMPARE(r.status, 0);
    QVERIFY2(r.err.count("the file's 32-bit integers") == 1, qPrintable(r.err));
    QVERIFY2(r.err.count("PNG cannot hold") == 1, qPrintable(r.err));
  }

  void a_run_that_was_cancelled_says_how_it_goes_on() {
    make_inputs(60, 400, 300);
    QProcess process;
    process.setProcessChannelMode(QProcess::SeparateChannels);
    start(process, command("out", {"in", "--jobs", "1"}));
    while (process.state() == QProcess::Running && outputs("out").isEmpty()) {
      process.waitForReadyRead(20);
    }
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(ended(process), 1);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.endsWith("MP/s; --resume continues\n"), said.constData());
  }

  void clashes_are_listed_before_anything_starts() {
    make_folder("out");
    write("out/002_gaussian.ppm", "mine");
    const auto before = snapshot();
    const Run r = run(command("out", {"in"}));
    QCOMPARE(r.status, 1);
    QVERIFY(r.err.contains(path("out/002_gaussian.ppm") + ": the file exists already"));
    QVERIFY(r.err.contains("--existing"));
    QVERIFY(snapshot() == before);
    QCOMPARE(run(command("out", {"in", "--existing", "skip"})).status, 0);
    QCOMPARE(read("out/002_gaussian.ppm"), QByteArray("mine"));
    QCOMPARE(outputs("out").size(), 6);
    QCOMPARE(run(command("out", {"in/002.ppm", "--existing", "rename"})).status, 0);
    QVERIFY(there("out/002_gaussian_2.ppm"));
    QCOMPARE(run(command("out", {"in/002.ppm", "--overwrite"})).status, 0);
    QVERIFY(read("out/002_gaussian.ppm") == read("out/002_gaussian_2.ppm"));
  }

  void reports_name_every_file() {
    write("in/003.ppm", "P6\n9 9\n255\nshort");
    const Run r = run(command("out", {"in", "--report", "r.json", "--quiet"}));
    QCOMPARE(r.status, 1);
    QVERIFY(r.err.contains("003.ppm"));
    const QJsonDocument json = QJsonDocument::fromJson(read("r.json"));
    QCOMPARE(json["done"].toInt(), 5);
    QCOMPARE(json["failed"].toInt(), 1);
    QCOMPARE(json["files"][3]["result"].toString(), QStringLiteral("failed"));
    QVERIFY(json["files"][3]["reason"].toString().contains("003.ppm"));
    QVERIFY(!json["files"][0]["device"].toString().isEmpty());
    QCOMPARE(run(command("other", {"in", "--report", "r.csv", "-q"})).status, 1);
    QCOMPARE(read("r.csv").split('\n').size(), 8);
  }

  void a_report_that_cannot_be_written_is_reported_before() {
    refused(command("out", {"in", "--report", "nowhere/r.csv"}), 2, {"nowhere", "no such folder"});
    make_folder("other/r.json");
    refused(command("out", {"in", "--report", "other/r.json"}), 2, {"r.json", "is a folder"});
    refused(command("out", {"in", "--report", "out/deep/r.csv"}), 2, {"deep", "no such folder"});
    // The outputs' folder will exist.
    QCOMPARE(run(command("out", {"in", "--report", "out/r.csv", "-q"})).status, 0);
    QVERIFY(read("out/r.csv").contains("000.ppm"));
  }

  void a_run_that_breaks_off_is_reported() {
    make_folder("out/sfumato-batch.jsonl");
    const Run r = run(command("out", {"in", "--report", "broken.json", "--json-lines"}));
    QCOMPARE(r.status, 1);
    QVERIFY(r.err.contains("journal"));
    QVERIFY(r.out.contains("\"event\":\"summary\""));
    QCOMPARE(QJsonDocument::fromJson(read("broken.json"))["files"].toArray().size(), 6);
  }

  void pipes_among_the_inputs_are_refused_at_once() {
    for (const char* name : {"a.jpg", "b.png", "c.mp4", "d.exr"}) {
      QCOMPARE(::mkfifo(qPrintable(path("in/") + name), 0600), 0);
    }
    for (const QStringList& more : {QStringList(), QStringList{"--pages"}}) {
      const Run r = run(command("out", QStringList{"in/a.jpg", "in/b.png", "in/c.mp4", "in/d.exr",
                                                   "in/000.ppm", "--overwrite"} +
                                           more));
      QCOMPARE(r.status, 1);
      QVERIFY2(r.err.contains("1 done, 4 failed"), qPrintable(r.err));
      QCOMPARE(r.err.count("not an ordinary file"), 4);
    }
  }

  void closed_standard_streams_cost_no_picture() {
    for (const char* closed : {">&-", "<&- >&-", "<&- >&- 2>&-"}) {
      QProcess shell;
      shell.setWorkingDirectory(path("."));
      const QStringList words = {program_, "gaussian", "in/000.ppm", "out.ppm",    "--sigma",
                                 "2",      "--device", "reference",  "--overwrite"};
      shell.start("sh", {"-c", words.join(' ') + ' ' + closed});
      QVERIFY(shell.waitForFinished(180000));
      QCOMPARE(shell.exitCode(), 0);
      QCOMPARE(run({"gaussian", "in/000.ppm", "due.ppm", "--sigma", "2", "--device", "reference",
                    "--overwrite"})
                   .status,
               0);
      QVERIFY2(read("out.ppm") == read("due.ppm"), closed);
    }
  }

  void a_damaged_movie_and_a_missing_name_stop_nothing() {
    write("in/clip.mov", QByteArray(5000, 'x'));
    const Run movie = run(command("out", {"in", "-q"}));
    QCOMPARE(movie.status, 1);
    QVERIFY2(movie.err.contains("clip.mov"), qPrintable(movie.err));
    QCOMPARE(outputs("out").size(), 6);
    write("list", "in/001.ppm\nin/none.ppm\n");
    const Run list = run(command("other", {"--files-from", "list"}));
    QCOMPARE(list.status, 1);
    QVERIFY2(list.err.contains("none.ppm") && list.err.contains("1 done, 1 failed"),
             qPrintable(list.err));
  }

  void lines_of_json_tell_the_progress() {
    const Run r = run(command("out", {"in", "--json-lines"}));
    QCOMPARE(r.status, 0);
    QMap<QString, int> events;
    for (const QString& line : lines_of(r.out)) {
      const QJsonDocument json = QJsonDocument::fromJson(line.toUtf8());
      QVERIFY2(json.isObject(), qPrintable(line));
      ++events[json["event"].toString()];
    }
    QCOMPARE(events, (QMap<QString, int>{{"done", 6},
                                         {"filtering", 6},
                                         {"plan", 1},
                                         {"reading", 6},
                                         {"summary", 1},
                                         {"writing", 6}}));
  }

  void depth_and_metadata_are_chosen() {
    QCOMPARE(run(command("out", {"in/000.ppm", "--format", "tif", "--bits", "float", "-q"})).status,
             0);
    const Run bad = run(command("other", {"in/000.ppm", "--format", "jpg", "--bits", "16"}));
    QCOMPARE(bad.status, 1);
    QVERIFY(bad.err.contains("JPEG holds 8-bit"));
    QVERIFY(!there("other"));
  }

  void roles_are_found_by_their_pictures_names() {
    make_folder("guides");
    write_ppm("guides/000_G.ppm", 24, 18);
    const Run r = run({"batch", "joint_bilateral", "in/000.ppm", "-o", "out", "--guide",
                       "{folder}/../guides/{stem}_G.ppm", "--device", "reference", "-q"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const Run none = run({"batch", "joint_bilateral", "in/001.ppm", "-o", "out", "--guide",
                          "{folder}/../guides/{stem}_G.ppm", "--device", "reference", "-q"});
    QCOMPARE(none.status, 1);
    QVERIFY(none.err.contains("001_G.ppm"));
    // A filter that requires a role.
    const Run dry = run({"batch", "geometry_blur", "in/000.ppm", "-o", "out", "--depth",
                         "{folder}/{stem}_Z.exr", "--dry-run"});
    QVERIFY2(dry.status == 0, qPrintable(dry.err));
  }

  void outputs_beside_their_inputs_are_no_inputs() {
    QCOMPARE(run(command("in", {"in", "-q"})).status, 0);
    QCOMPARE(outputs("in").size(), 12);
    const Run again = run(command("in", {"in", "--resume", "--dry-run"}));
    QVERIFY2(again.out.contains("0 files to make, 6 left out"), qPrintable(again.out + again.err));
  }

  void resuming_leaves_the_files_of_others_alone() {
    make_inputs(60, 160, 120);
    make_folder("out");
    QProcess process;
    start(process, command("out", {"in", "--jobs", "1", "--json-lines"}));
    QVERIFY(wait_for(process, "\"event\":\"reading\""));
    write("out/059_gaussian.ppm", "mine");
    QCOMPARE(ended(process), 1);
    QCOMPARE(read("out/059_gaussian.ppm"), QByteArray("mine"));
    const Run again = run(command("out", {"in", "--resume"}));
    QCOMPARE(again.status, 1);
    QVERIFY2(again.err.contains(path("out/059_gaussian.ppm") + ": the file exists already"),
             qPrintable(again.err));
    QCOMPARE(read("out/059_gaussian.ppm"), QByteArray("mine"));
    QVERIFY(QFile::remove(path("out/059_gaussian.ppm")));
    QCOMPARE(run(command("out", {"in", "--resume"})).status, 0);
    QCOMPARE(outputs("out").size(), 60);
    // Changed inputs are processed again, replacing their outputs, and nothing else is.
    write_ppm("in/003.ppm", 31, 17);
    const QByteArray before = read("out/003_gaussian.ppm");
    const Run changed = run(command("out", {"in", "--resume"}));
    QVERIFY2(changed.err.contains("1 done, 59 left out"), qPrintable(changed.err));
    QVERIFY(read("out/003_gaussian.ppm") != before);
  }

  void another_input_is_not_replaced_through_a_link() {
    make_folder("out");
    QVERIFY(QFile::link("../in/001.ppm", path("out/000_gaussian.ppm")));
    const auto before = snapshot();
    const Run r = run(command("out", {"in", "--existing", "overwrite"}));
    QCOMPARE(r.status, 1);
    QVERIFY2(r.err.contains("itself an input"), qPrintable(r.err));
    QVERIFY(snapshot() == before);
  }

  void results_are_no_inputs_whatever_leads_to_them() {
    QCOMPARE(run(command("in/out/", {"in", "-r", "-q"})).status, 0);
    const Run again = run(command("in/out/", {"in", "-r", "--resume", "--dry-run"}));
    QVERIFY2(again.out.contains("0 files to make, 6 left out"), qPrintable(again.out + again.err));
    const Run other = run(command("other", {"in", "-r", "--dry-run"}));
    QVERIFY2(other.out.contains("6 files to make"), qPrintable(other.out + other.err));
    refused(command("in/out/", {"in/out", "--shard", "1/2"}), 1, {"different folders"});
    const Run chained = run(command("other", {"in/out", "--dry-run"}));
    QVERIFY2(chained.out.contains("6 files to make"), qPrintable(chained.out + chained.err));
  }

  void a_dry_run_waits_for_nobody() {
    QCOMPARE(run(command("out", {"in", "-q"})).status, 0);
    QFile journal(path("out/sfumato-batch.jsonl"));
    QVERIFY(journal.open(QIODevice::ReadOnly));
    QCOMPARE(::flock(journal.handle(), LOCK_EX), 0);
    // Waiting for a journal that is never released ends with a failure.
    const Run r = run(command("out", {"in", "--resume", "--dry-run"}));
    QVERIFY2(r.status == 0 && r.out.contains("0 files to make, 6 left out"), qPrintable(r.err));
  }

  void temporary_folders_that_are_missing_do_not_matter() {
    const auto restored = qScopeGuard([] { qunsetenv("TMPDIR"); });
    qputenv("TMPDIR", "/nowhere");
    const Run r = run(command("out", {"in", "--format", "png", "-q"}));
    QVERIFY2(r.status == 0, qPrintable(r.err));
  }

  void shards_of_other_inputs_are_refused() {
    QCOMPARE(run(command("out", {"in", "-q", "--resume", "--shard", "1/2"})).status, 0);
    write_ppm("in/00.ppm", 20, 20);
    const Run r = run(command("out", {"in", "-q", "--resume", "--shard", "2/2"}));
    QCOMPARE(r.status, 1);
    QVERIFY2(r.err.contains("1-of-2.jsonl: this shard was made from 6 inputs, but now there are 7"),
             qPrintable(r.err));
    // As announced.
    QCOMPARE(run(command("out", {"in", "-q", "--resume"})).status, 0);
    QCOMPARE(outputs("out").size(), 7);
  }

  void four_shards_are_one_run_and_their_journals_are_one() {
    QCOMPARE(run(command("other", {"in", "-q"})).status, 0);
    QProcess processes[4];
    for (int i = 0; i < 4; ++i) {
      start(processes[i], command("out", {"in", "-q", "--shard", QString("%1/4").arg(i + 1)}));
    }
    for (QProcess& process : processes) QCOMPARE(ended(process), 0);
    same_outputs("other", "out");
    const Run rest = run(command("out", {"in", "--resume", "--dry-run"}));
    QVERIFY2(rest.out.contains("0 files to make, 6 left out"), qPrintable(rest.out + rest.err));
    // A missing output is made again, and no other.
    QFile::remove(path("out/004_gaussian.ppm"));
    const Run last = run(command("out", {"in", "--resume"}));
    QCOMPARE(last.status, 0);
    QVERIFY2(last.err.contains("1 done, 5 left out"), qPrintable(last.err));
    same_outputs("other", "out");
  }

  void temporaries_of_a_killed_run_go_with_any_later_run() {
    make_inputs(60, 400, 300);
    for (const char* policy : {"skip", "overwrite"}) {
      QDir(path("out")).removeRecursively();
      bool left = false;
      for (int i = 0; i < 40 && !left; ++i) {
        QProcess process;
        start(process, command("out", {"in", "--json-lines", "--existing", "overwrite"}));
        QVERIFY(wait_for(process, "\"event\":\"writing\"", 1 + i % 5));
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        ended(process);
        left = !hidden("out").isEmpty();
      }
      QVERIFY(left);
      QCOMPARE(run(command("out", {"in", "--existing", policy, "-q"})).status, 0);
      QCOMPARE(hidden("out"), QStringList());
    }
  }

  void what_cannot_be_reached_fails_and_is_reported() {
    QVERIFY(QFile::link("nowhere.ppm", path("in/a.ppm")));
    QVERIFY(QFile::link("loop.ppm", path("in/loop.ppm")));
    const Run r = run(command("out", {"in", "--report", "links.json", "-q"}));
    QCOMPARE(r.status, 1);
    QCOMPARE(r.err.count("leads to no file"), 2);
    QCOMPARE(QJsonDocument::fromJson(read("links.json"))["failed"].toInt(), 2);
    QCOMPARE(outputs("out").size(), 6);
    const Run frames = run(command("other", {"in/000-009###.ppm", "--json-lines"}));
    QCOMPARE(frames.status, 0);
    const QJsonDocument plan = QJsonDocument::fromJson(lines_of(frames.out)[0].toUtf8());
    QVERIFY(plan["warnings"][0].toString().contains("6 to 9"));
    const QJsonDocument last = QJsonDocument::fromJson(lines_of(frames.out)[3].toUtf8());
    QVERIFY2(last.object().contains("frame"), qPrintable(frames.out));
  }

  void wrong_usage_is_refused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* name, const QStringList& arguments, int status,
                        const char* word) {
      QTest::newRow(name) << (QStringList{"batch"} + arguments) << status << QString(word);
    };
    row("nothing", {}, 2, "which filter");
    row("no output", {"gaussian", "in"}, 2, "-o DIR");
    row("no input", {"gaussian", "-o", "out"}, 2, "which files");
    row("no filter", {"gausian", "in", "-o", "out"}, 2, "did you mean");
    row("no option", {"gaussian", "in", "-o", "out", "--sgma", "2"}, 2, "--sigma");
    row("range", {"gaussian", "in", "-o", "out", "--sigma", "-2"}, 2, "sigma");
    row("name", {"gaussian", "in", "-o", "out", "--name", "{stm}"}, 2, "did you mean");
    row("policy", {"gaussian", "in", "-o", "out", "--existing", "skp"}, 2, "skip");
    row("shard", {"gaussian", "in", "-o", "out", "--shard", "5/4"}, 2, "I/N");
    row("jobs", {"gaussian", "in", "-o", "out", "--jobs", "0"}, 2, "--jobs");
    row("report", {"gaussian", "in", "-o", "out", "--report", "r.txt"}, 2, ".csv");
    row("watch", {"gaussian", "in", "-o", "out", "--watch", "in"}, 2, "--watch");
    row("no watch", {"gaussian", "-o", "out", "--watch", "nowhere"}, 1, "no such folder");
    row("a plan's report", {"gaussian", "in", "-o", "out", "--dry-run", "--report", "r.json"}, 2,
        "--dry-run");
    row("no file", {"gaussian", "in/none.png", "-o", "out"}, 1, "no such file");
    row("shards rename", {"gaussian", "in", "-o", "out", "--shard", "1/2", "--existing", "rename"},
        1, "shards cannot");
    row("shards in place", {"gaussian", "in", "-o", "in", "--shard", "1/2"}, 1,
        "different folders");
    row("role", {"gaussian", "in", "-o", "out", "--guide", "{stem}.png"}, 2, "--guide");
  }
  void wrong_usage_is_refused() {
    QFETCH(const QStringList, arguments);
    QFETCH(const int, status);
    QFETCH(const QString, word);
    refused(arguments, status, {word});
  }
};

QTEST_GUILESS_MAIN(TestBatch)
#include "test_batch.moc"
