// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the system refuses is said with its own reason, whichever file it is.
#include <sys/resource.h>

#include <cerrno>

#include "batch_program.hpp"
#include "fuzz/failing_program.hpp"
#include "support/skips.hpp"

class TestReasons : public BatchTest {
  Q_OBJECT

  struct Reason {
    int error;
    const char* words;
  };
  static constexpr Reason reasons[] = {{ENOSPC, "No space left on device"},
                                       {EDQUOT, "Disk quota exceeded"},
                                       {EROFS, "Read-only file system"},
                                       {EIO, "Input/output error"},
                                       {ELOOP, "Too many levels of symbolic links"},
                                       {ENAMETOOLONG, "File name too long"},
                                       {EMFILE, "Too many open files)"},
                                       {ENFILE, "Too many open files in system"},
                                       {EACCES, "Permission denied"},
                                       {EISDIR, "Is a directory"},
                                       {ETXTBSY, "Text file busy"}};

  static QStringList render(const QString& output) {
    return {"gaussian", "in/000.ppm", output, "--device", "reference"};
  }

 private Q_SLOTS:
  void initTestCase() {
    make_inputs(1, 20, 16);
    make_folder("out");
    const Run recipe = run({"recipe", "gaussian", "--sigma", "2"});
    QCOMPARE(recipe.status, 0);
    write("r.json", recipe.out.toUtf8());
    write("list.txt", "in/000.ppm\n");
  }

  void every_refusal_gives_its_reason_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("arguments");
    const bool all = qEnvironmentVariableIntValue("SFUMATO_TEST_ALL") != 0;
    const auto rows = [all](const char* what, const char* call, const char* file,
                            const QStringList& arguments) {
      for (const Reason& reason : reasons) {
        // Batches take longer.
        if (!all && arguments[0] == "batch" && reason.error != EMFILE && reason.error != ENOSPC) {
          continue;
        }
        QTest::addRow("%s: %s", what, reason.words)
            << QString(call) << QString(file) << reason.error << QString(reason.words) << arguments;
      }
    };
    rows("input", "open", "in/000.ppm", render("out/a.png"));
    rows("output", "open", "out/.a.sfumato", render("out/a.png"));
    rows("recipe", "open", "r.json", {"apply", "r.json", "in/000.ppm", "out/a.png"});
    rows("input of a batch", "open", "in/000.ppm", command("out", {"in", "-q"}));
    rows("output of a batch", "open", "out/.000_gaussian.sfumato", command("out", {"in", "-q"}));
    rows("journal", "open", "sfumato-batch.jsonl", command("out", {"in", "-q"}));
    rows("report", "open", "out/.r.sfumato",
         command("out", {"in", "--report", "out/r.json", "-q"}));
    rows("list", "open", "list.txt", command("out", {"--files-from", "list.txt", "-q"}));
    rows("name of the output", "rename", "out/a.png", render("out/a.png"));
    for (const char* call : {"write", "close"}) {
      for (const Reason& reason :
           {Reason{ENOSPC, "No space left on device"}, Reason{EDQUOT, "Disk quota exceeded"},
            Reason{EIO, "Input/output error"}}) {
        const auto row = [&](const char* what, const char* file, const QStringList& arguments) {
          QTest::addRow("%s of %s: %s", call, what, reason.words)
              << QString(call) << QString(file) << reason.error << QString(reason.words)
              << arguments;
        };
        if (qstrcmp(call, "close") == 0) {
          row("an output", "out/.a.sfumato", render("out/a.png"));
        } else {
          row("a journal", "sfumato-batch.jsonl", command("out", {"in", "-q"}));
        }
        row("a report", "out/.r.sfumato", command("out", {"in", "--report", "out/r.json", "-q"}));
      }
    }
  }
  void every_refusal_gives_its_reason() {
    QFETCH(const QString, call);
    QFETCH(const QString, file);
    QFETCH(const int, error);
    QFETCH(const QString, words);
    QFETCH(const QStringList, arguments);
    QDir(path("out")).removeRecursively();
    make_folder("out");
    const Run r = run(arguments, failing({.call = call, .path = file, .error = error}));
    QVERIFY2(r.status == 1, qPrintable(QString::number(r.status) + ": " + r.err));
    QVERIFY2(r.err.contains(words), qPrintable(r.err));
    const bool denied = error == EACCES;
    QVERIFY2(denied || !r.err.contains("ermission"), qPrintable(r.err));
    for (const QString& name : outputs("out").keys())
      QVERIFY2(!name.startsWith('.'), qPrintable(name));
  }

  // With fewer and fewer descriptors it works, or says that there are too few.
  void few_descriptors_are_no_matter_of_permissions() {
    if (is_sanitized) QSKIP("the sanitizer needs a pipe to see that an object can be read");
    bool worked = false, failed = false;
    for (rlim_t most = 8; most <= 128; most += most < 24 ? 1 : 8) {
      QDir(path("out")).removeRecursively();
      make_folder("out");
      const Run r = run(render("out/a.png"), {}, [most] {
        const rlimit limit{most, most};
        ::setrlimit(RLIMIT_NOFILE, &limit);
      });
      const QString label = QString("%1: %2: %3").arg(most).arg(r.status).arg(r.err);
      QVERIFY2(r.status == 0 || r.status == 1, qPrintable(label));
      if (r.status == 1) QVERIFY2(one_line(r.err), qPrintable(label));
      QVERIFY2(!r.err.contains("ermission"), qPrintable(label));
      QCOMPARE(QFile::exists(path("out/a.png")), r.status == 0);
      worked = worked || r.status == 0;
      failed = failed || r.err.contains("Too many open files");
    }
    QVERIFY(worked && failed);
  }

  // Their beginning and their end, and the right reason.
  void long_names_are_shown_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("begins");
    QTest::addColumn<QString>("ends");
    const QString name = "begins" + QString(300, QLatin1Char('x')) + "ends",
                  deep = "begins/" + QString("folder/").repeated(700) + "ends";
    for (const QString& word : {name, deep}) {
      const auto row = [&](const char* what, const QStringList& arguments) {
        QTest::addRow("%s, %s", what, &word == &name ? "name" : "path") << arguments << "begins"
                                                                        << "ends";
      };
      row("input", {"gaussian", word + ".png", "a.png"});
      row("output", render(word + ".png"));
      row("recipe", {"apply", word + ".json", "in/000.ppm", "a.png"});
      row("role", render("a.png") + QStringList{"--mask", word + ".png"});
      row("input of a batch", command("out", {word + ".png", "-q"}));
      row("folder of a batch", command(word, {"in", "-q"}));
      // Its folder is made absolute.
      QTest::addRow("report, %s", &word == &name ? "name" : "path")
          << command("out", {"in", "-q", "--report", word + "/r.json"}) << folder_.path().left(10)
          << "ends";
      row("list", command("out", {"-q", "--files-from", word}));
      row("watched folder", command("out", {"-q", "--watch", word}));
    }
    QTest::newRow("only slashes") << QStringList{"gaussian", QString(5000, QLatin1Char('/')),
                                                 "a.png"}
                                  << "\"///"
                                  << "///\"";
  }
  void long_names_are_shown() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, begins);
    QFETCH(const QString, ends);
    const Run r = run(arguments);
    QVERIFY2(r.status == 1 || r.status == 2, qPrintable(r.err));
    QVERIFY2(r.err.contains(begins) && r.err.contains(ends), qPrintable(r.err));
    QVERIFY2(begins == "\"///" || r.err.contains("File name too long"), qPrintable(r.err));
  }
};

QTEST_GUILESS_MAIN(TestReasons)
#include "test_reasons.moc"
