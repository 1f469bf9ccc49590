// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch under failures: kills, a full disk, damaged files, little memory.
#include <QRandomGenerator>
#include <QThread>

#include <sys/mount.h>
#include <sys/resource.h>

#include "batch_program.hpp"
#include "support/not_empty.hpp"
#include "support/skips.hpp"

class TestBatchSafety : public BatchTest {
  Q_OBJECT

  QRandomGenerator random_{20260531};

  static bool all() { return qEnvironmentVariableIntValue("SFUMATO_TEST_ALL") != 0; }

  // The peak memory of the programs run so far, in bytes.
  static qint64 peak() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return qint64{usage.ru_maxrss} * 1024;
  }

 private Q_SLOTS:
  void init() {
    for (const char* folder : {"in", "out", "whole"}) QDir(path(folder)).removeRecursively();
  }

  // First, before any other program has used more.
  void memory_stays_under_its_limit_data() {
    QTest::addColumn<QString>("extension");
    QTest::newRow("pictures held") << "ppm";
    QTest::newRow("pictures that are decoded as they are opened") << "jpg";
  }
  void memory_stays_under_its_limit() {
    QFETCH(const QString, extension);
    if (is_sanitized) QSKIP("the address sanitizer keeps what is freed");
    make_folder("in");
    // 24 megapixels, black: 72 MB in and out, about eight of which would be in work.
    QFile large(path("large.ppm"));
    QVERIFY(large.open(QIODevice::WriteOnly));
    large.write("P6\n6000 4000\n255\n");
    QVERIFY(large.resize(large.size() + qint64{6000} * 4000 * 3));
    large.close();
    if (extension == "jpg") {
      // Its coefficients are 144 MB.
      QProcess writer;
      writer.start("oiiotool", {path("large.ppm"), "--attrib", "jpeg:progressive", "1", "-o",
                                path("large.jpg")});
      QVERIFY(writer.waitForFinished(120000));
      QCOMPARE(writer.exitCode(), 0);
    }
    for (int i = 0; i < 8; ++i) {
      QVERIFY(QFile::link(path("large." + extension), path(QString("in/%1.").arg(i) + extension)));
    }
    make_inputs(8, 300, 200);
    const Run r = run({"batch", "grayscale", "in", "-o", "out", "--format", "jpg", "--limit", "800",
                       "--jobs", "8"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(outputs("out").size(), 16);
    qInfo("peak %lld MB", static_cast<long long>(peak() >> 20));
    QVERIFY2(peak() <= qint64{800} << 20, qPrintable(QString::number(peak() >> 20) + " MB"));
  }

  // If stderr is not a terminal, occasional lines show the progress, and there is no bar.
  void a_log_shows_the_progress() {
    make_folder("in");
    for (int i = 0; i < 8; ++i) write_ppm(QString("in/%1.ppm").arg(i), 2000, 2000);
    const QStringList slow{"batch",     "gaussian", "--sigma", "1000", "--device",
                           "reference", "-o",       "out",     "in"};
    QProcess process;
    start(process, slow);
    process.setReadChannel(QProcess::StandardError);
    QVERIFY(wait_for(process, " of 8, "));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(ended(process), 1);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(!said.contains('\r'), said.constData());
    QVERIFY(process.readAllStandardOutput().isEmpty());
  }

  void killed_runs_are_resumed_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("kill -9") << SIGKILL;
    QTest::newRow("Ctrl-C") << SIGINT;
  }
  void killed_runs_are_resumed() {
    QFETCH(const int, signal);
    const int files = all() ? 200 : 40, kills = all() ? 20 : 5;
    make_inputs(files, 160, 120);
    QCOMPARE(run(command("whole", {"in", "--format", "png", "-q"})).status, 0);
    QCOMPARE(outputs("whole").size(), files);
    const QStringList resumed =
        command("out", {"in", "--format", "png", "--resume", "--json-lines"});
    int killed = 0;
    for (int i = 0; i < kills; ++i) {
      QProcess process;
      start(process, resumed);
      // At a random point in the work on some file, but always with files left for the next run.
      if (!wait_for(process, "\"event\":\"", 2 + static_cast<int>(random_.bounded(12)))) break;
      QThread::usleep(random_.bounded(20000));
      ::kill(static_cast<pid_t>(process.processId()), signal);
      const int status = ended(process);
      killed += status != 0;
      QVERIFY(status == 0 || status == (signal == SIGKILL ? -2 : 1));
      if (signal == SIGINT) {
        for (const QString& name : outputs("out").keys()) QVERIFY(!name.startsWith('.'));
      }
    }
    QVERIFY(killed > kills / 2);
    const Run last = run(resumed);
    QVERIFY2(last.status == 0, qPrintable(last.err));
    same_outputs("whole", "out");
    const Run none = run(command("out", {"in", "--format", "png", "--resume"}));
    QVERIFY2(none.err.contains(QString("0 done, %1 left out").arg(files)), qPrintable(none.err));
  }

  void killed_runs_in_place_are_resumed() {
    const int files = all() ? 100 : 30, kills = all() ? 20 : 5;
    make_inputs(files, 160, 120);
    QCOMPARE(run(command("whole", {"in", "--name", "{stem}.{ext}", "-q"})).status, 0);
    const QStringList resumed =
        command("in", {"in", "--name", "{stem}.{ext}", "--existing", "overwrite", "--resume"});
    int killed = 0;
    for (int i = 0; i < kills; ++i) {
      QProcess process;
      start(process, resumed + QStringList{"--json-lines"});
      if (!wait_for(process, "\"event\":\"", 2 + static_cast<int>(random_.bounded(12)))) break;
      QThread::usleep(random_.bounded(20000));
      ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
      killed += ended(process) != 0;
    }
    QVERIFY(killed > kills / 2);
    const Run last = run(resumed);
    QVERIFY2(last.status == 0, qPrintable(last.err));
    same_outputs("whole", "in");
    const Run none = run(resumed);
    QVERIFY2(none.err.contains(QString("0 done, %1 left out").arg(files)), qPrintable(none.err));
    // Another recipe takes them as they are now.
    const QStringList other{"batch",  "grayscale",    "in",         "--device",  "reference",
                            "--name", "{stem}.{ext}", "--existing", "overwrite", "-q"};
    QCOMPARE(run(other + QStringList{"-o", "out"}).status, 0);
    QCOMPARE(run(other + QStringList{"-o", "in"}).status, 0);
    same_outputs("out", "in");
  }

  void a_full_disk_is_outlived() {
    make_inputs(30, 160, 120);
    QCOMPARE(run(command("whole", {"in", "--format", "png", "-q"})).status, 0);
    make_folder("out");
    const QByteArray folder = path("out").toUtf8();
    if (::mount("none", folder.constData(), "tmpfs", 0, "size=700k") != 0) {
      QSKIP("file systems may not be mounted here");
    }
    const auto unmount = qScopeGuard([&] { ::umount(folder.constData()); });
    const Run full = run(command("out", {"in", "--format", "png"}));
    QCOMPARE(full.status, 1);
    QVERIFY2(full.err.contains("No space left") || full.err.contains("disk is full"),
             qPrintable(full.err));
    for (const QString& name : sfumato::testing::not_empty(outputs("out").keys(), "outputs")) {
      QVERIFY2(!name.startsWith('.') && read("whole/" + name) == read("out/" + name),
               qPrintable(name));
    }
    QVERIFY(outputs("out").size() < 30);
    QCOMPARE(::mount("none", folder.constData(), "tmpfs", MS_REMOUNT, "size=16m"), 0);
    const Run rest = run(command("out", {"in", "--format", "png", "--resume"}));
    QVERIFY2(rest.status == 0, qPrintable(rest.err));
    same_outputs("whole", "out");
  }

  // One in twenty of a thousand files is damaged, in one of ten ways.
  void damaged_files_are_named_and_stop_nothing() {
    make_inputs(1, 32, 24);
    const char* const kinds[] = {"png", "jpg", "tif", "exr", "webp"};
    for (const char* kind : kinds) {
      QCOMPARE(run({"grayscale", "in/000.ppm", QString("good.%1").arg(kind), "--mix", "0",
                    "--device", "reference"})
                   .status,
               0);
    }
    QVERIFY(QFile::remove(path("in/000.ppm")));
    QStringList damaged;
    for (int i = 0; i < 1000; ++i) {
      const QString kind = kinds[i % 5];
      const QString name = QString("in/%1.%2").arg(i, 4, 10, QLatin1Char('0')).arg(kind);
      QByteArray bytes = read("good." + kind);
      if (i % 20 == 7) {
        damaged << name.mid(3);
        switch (damaged.size() % 10) {
          case 0:
            bytes.clear();
            break;
          case 1:
            bytes.truncate(bytes.size() / 2);
            break;
          case 2:
            bytes.truncate(10);
            break;
          case 3:
            bytes = "this is no picture\n";
            break;
          case 4:
            bytes.replace(0, 4, QByteArray(4, '\0'));
            break;
          case 5:
            bytes = QByteArray(5000, '\xff');
            break;
          case 6:
            bytes = bytes.first(1);
            break;
          case 7:
            bytes.truncate(bytes.size() * 3 / 4);
            break;
          case 8:
            bytes = "<html>404</html>" + bytes;
            break;
          default:
            bytes = bytes.first(12) + QByteArray(200, '\0');
            break;
        }
      }
      write(name, bytes);
    }
    QCOMPARE(damaged.size(), 50);
    const Run r = run(command("out", {"in", "--quiet"}));
    QCOMPARE(r.status, 1);
    const QStringList said = r.err.split('\n', Qt::SkipEmptyParts);
    for (const QString& name : damaged) {
      const auto about = said.filter(name);
      QVERIFY2(about.size() == 1 && about[0].size() > name.size() + 30, qPrintable(name));
    }
    QVERIFY2(said.last().contains("950 done, 50 failed"), qPrintable(said.last()));
    QCOMPARE(outputs("out").size(), 950);
  }
};

QTEST_GUILESS_MAIN(TestBatchSafety)
#include "test_batch_safety.moc"
