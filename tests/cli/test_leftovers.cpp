// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a killed program leaves beside an output goes with the next run; nothing else does.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "batch_program.hpp"

class TestLeftovers : public BatchTest {
  Q_OBJECT

  // Takes minutes on the reference.
  static QStringList slow(const QString& output) {
    return {"gaussian", "large.ppm", output, "--sigma", "1000", "--device", "reference"};
  }
  static QStringList quick(const QString& output) {
    return {"gaussian", "small.ppm", output, "--sigma", "2", "--device", "reference"};
  }

  QStringList hidden(const QString& folder) const {
    return QDir(path(folder)).entryList({".*"}, QDir::Files | QDir::Hidden | QDir::System);
  }

  // The temporary of a run that has begun to write into a folder.
  QString begun(QProcess& process, const QStringList& arguments, const QString& folder) {
    const QStringList before = hidden(folder);
    start(process, arguments);
    const auto made = [&] {
      for (const QString& name : hidden(folder)) {
        if (!before.contains(name)) return name;
      }
      return QString();
    };
    while (made().isEmpty() && process.state() != QProcess::NotRunning) {
      process.waitForFinished(20);
    }
    return made();
  }

  void kill_in_the_middle(const QStringList& arguments, const QString& folder) {
    QProcess process;
    QVERIFY(!begun(process, arguments, folder).isEmpty());
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    QCOMPARE(ended(process), -2);
  }

 private Q_SLOTS:
  void initTestCase() {
    write_ppm("large.ppm", 1500, 1500);
    write_ppm("small.ppm", 40, 30);
    QCOMPARE(run(quick("right.png")).status, 0);
  }
  void init() {
    QDir(path("out")).removeRecursively();
    make_folder("out");
  }

  void a_killed_render_leaves_nothing_after_the_next_data() {
    QTest::addColumn<QString>("killed");
    QTest::addColumn<QStringList>("next");
    QTest::newRow("the same output") << "out/a.png" << quick("out/a.png");
    QTest::newRow("another output") << "out/b.tif" << quick("out/a.png");
    QTest::newRow("a long name") << "out/" + QString(240, QLatin1Char('n')) + ".png"
                                 << quick("out/a.png");
    QTest::newRow("a batch comes next")
        << "out/b.png"
        << QStringList{"batch",  "gaussian", "--sigma", "2",   "--device",  "reference",
                       "--name", "a.png",    "-o",      "out", "small.ppm", "-q"};
  }
  void a_killed_render_leaves_nothing_after_the_next() {
    QFETCH(const QString, killed);
    QFETCH(const QStringList, next);
    kill_in_the_middle(slow(killed), "out");
    QCOMPARE(hidden("out").size(), 1);
    const Run r = run(next);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(hidden("out"), QStringList());
    QCOMPARE(read("out/a.png"), read("right.png"));
  }

  void an_output_that_was_to_be_replaced_is_untouched() {
    write("out/a.png", "old");
    kill_in_the_middle(slow("out/a.png") + QStringList{"--overwrite"}, "out");
    QCOMPARE(read("out/a.png"), QByteArray("old"));
    QCOMPARE(run(quick("out/a.png") + QStringList{"--overwrite"}).status, 0);
    QCOMPARE(hidden("out"), QStringList());
    QCOMPARE(read("out/a.png"), read("right.png"));
  }

  void a_killed_batch_leaves_nothing_after_a_render() {
    QDir(path("in")).removeRecursively();
    make_folder("in");
    QVERIFY(QFile::copy(path("large.ppm"), path("in/large.ppm")));
    kill_in_the_middle(
        {"batch", "gaussian", "--sigma", "1000", "--device", "reference", "-o", "out", "in"},
        "out");
    QCOMPARE(hidden("out").size(), 1);
    QCOMPARE(run(quick("out/a.png")).status, 0);
    QCOMPARE(hidden("out"), QStringList());
  }

  void what_another_run_is_writing_stays() {
    QProcess other;
    const QString theirs = begun(other, slow("out/b.png"), "out");
    QVERIFY(!theirs.isEmpty());
    const Run r = run(quick("out/a.png"));
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(hidden("out"), QStringList(theirs));
    ::kill(static_cast<pid_t>(other.processId()), SIGINT);
    QCOMPARE(ended(other), 1);
    QCOMPARE(hidden("out"), QStringList());
  }

  void what_is_not_ours_stays() {
    write("victim", "not to be touched");
    const QString folder = path("out") + "/";
    const auto native = [&](const char* name) { return (folder + name).toUtf8(); };
    QVERIFY(QFile::link(path("victim"), folder + ".link.sfumato-1-0.png"));
    QCOMPARE(::mkfifo(native(".pipe.sfumato-1-0.png").constData(), 0666), 0);
    QVERIFY(QDir().mkdir(folder + ".folder.sfumato-1-0.png"));
    write("out/.two.sfumato-1-0.png", "two names");
    QCOMPARE(::link(native(".two.sfumato-1-0.png").constData(), native("other").constData()), 0);
    write("out/.locked.sfumato-1-0.png", "in use");
    const int lock = ::open(native(".locked.sfumato-1-0.png").constData(), O_RDONLY | O_CLOEXEC);
    QVERIFY(lock >= 0 && ::flock(lock, LOCK_EX) == 0);
    for (const char* name : {".a.sfumato-notes.png", ".a.sfumato-1.png", ".a.sfumato-1-2-3.png",
                             "a.sfumato-1-0.png", ".sfumato-1-0.png"}) {
      write(QString("out/") + name, "someone's");
    }
    if (::geteuid() == 0) {
      write("out/.foreign.sfumato-1-0.png", "of another user");
      QCOMPARE(::chown(native(".foreign.sfumato-1-0.png").constData(), 65534, 65534), 0);
    }
    write("out/.left.sfumato-1-0.png", "of a killed program");
    const auto entries = [&] {
      return QDir(path("out"))
          .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    };
    QStringList expected = entries();
    QVERIFY(expected.removeOne(".left.sfumato-1-0.png"));
    const Run r = run(quick("out/a.png"));
    QVERIFY2(r.status == 0, qPrintable(r.err));
    ::close(lock);
    QStringList left = entries();
    QVERIFY(left.removeOne("a.png"));
    QCOMPARE(left, expected);
    QCOMPARE(read("victim"), QByteArray("not to be touched"));
  }
};

QTEST_GUILESS_MAIN(TestLeftovers)
#include "test_leftovers.moc"
