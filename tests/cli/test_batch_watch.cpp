// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch --watch: files that arrive in a folder, are saved again, or leave it.
#include <QThread>

#include "batch_program.hpp"

class TestBatchWatch : public BatchTest {
  Q_OBJECT

  bool there(const QString& name) const { return QFile::exists(path(name)); }

 private Q_SLOTS:
  void init() {
    for (const char* folder : {"in", "out", "hot"}) QDir(path(folder)).removeRecursively();
    make_inputs(6, 24, 18);
  }

  void a_hot_folder_takes_what_is_whole() {
    make_folder("hot");
    QProcess process;
    start(process, command("out", {"--watch", "hot", "--json-lines"}));
    const QByteArray whole = read("in/000.ppm");
    QFile slow(path("hot/a_slow.ppm"));
    QVERIFY(slow.open(QIODevice::WriteOnly));
    slow.write(whole.first(whole.size() / 2));
    slow.flush();
    QVERIFY(QFile::copy(path("in/001.ppm"), path("hot/b_whole.ppm")));
    // When the second is done, both have been seen often enough.
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    QVERIFY(there("out/b_whole_gaussian.ppm"));
    QVERIFY(!read("out/sfumato-batch.jsonl").contains("a_slow"));
    slow.write(whole.mid(whole.size() / 2));
    slow.close();
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    QVERIFY(there("out/a_slow_gaussian.ppm"));
    // A picture that is saved again is filtered again.
    const QByteArray before = read("out/b_whole_gaussian.ppm");
    write("hot/b_whole.ppm", read("in/002.ppm"));
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    const QByteArray after = read("out/b_whole_gaussian.ppm");
    QVERIFY(after != before);
    // A different picture of the same name removes nothing.
    QVERIFY(QFile::remove(path("hot/b_whole.ppm")));
    QVERIFY(QFile::copy(path("in/003.ppm"), path("hot/b_whole.ppm")));
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    QVERIFY(there("out/b_whole_gaussian_2.ppm"));
    QVERIFY(read("out/b_whole_gaussian.ppm") == after);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(ended(process), 0);
    QCOMPARE(outputs("out").size(), 3);
  }

  void a_hot_folder_says_what_it_leaves_out() {
    make_folder("hot");
    make_folder("out");
    write("out/a_gaussian.ppm", "mine");
    QVERIFY(QFile::copy(path("in/000.ppm"), path("hot/a.ppm")));
    QVERIFY(QFile::copy(path("in/001.ppm"), path("hot/b.ppm")));
    QProcess process;
    start(process, command("out", {"--watch", "hot", "--json-lines"}));
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    QByteArray said;
    while (!said.contains("the file exists already") && process.waitForReadyRead(2 * patience)) {
      said += process.readAllStandardError();
    }
    QTest::qWait(2500);  // not reported again
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(ended(process), 1);
    said += process.readAllStandardError();
    QCOMPARE(said.count("a_gaussian.ppm: the file exists already"), 1);
    QVERIFY2(said.contains("1 done, 0 failed, 1 left out"), said.constData());
    QCOMPARE(read("out/a_gaussian.ppm"), QByteArray("mine"));
  }

  void a_hot_folder_may_be_named_by_a_link() {
    make_folder("hot");
    QFile::remove(path("link"));
    QVERIFY(QFile::link("hot", path("link")));
    QVERIFY(QFile::copy(path("in/000.ppm"), path("hot/a.ppm")));
    QProcess process;
    start(process, command("hot", {"--watch", "link", "--json-lines"}));
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    QThread::msleep(3500);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(ended(process), 0);
    QCOMPARE(QStringList(outputs("hot").keys()), (QStringList{"a.ppm", "a_gaussian.ppm"}));
  }

  void a_hot_folder_outlives_clashes_and_its_own_going() {
    make_folder("hot");
    QVERIFY(QFile::copy(path("in/000.ppm"), path("hot/a.ppm")));
    QVERIFY(QFile::copy(path("in/001.ppm"), path("hot/a.pgm")));
    QProcess process;
    start(process, command("out", {"--watch", "hot", "--json-lines", "--format", "png"}));
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    QVERIFY(QDir(path("")).rename("hot", "gone"));
    QTest::qWait(2500);
    QVERIFY(QDir(path("")).rename("gone", "hot"));
    write("hot/broken.ppm", "P6\n9 9\n255\nshort");
    QVERIFY(wait_for(process, "\"event\":\"failed\""));
    // A repaired file is not a failure in the end.
    write("hot/broken.ppm", read("in/002.ppm"));
    QVERIFY(wait_for(process, "\"event\":\"done\""));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(ended(process), 0);
    const QByteArray said = process.readAllStandardError();
    QCOMPARE(said.count("the output of both"), 1);
    QCOMPARE(said.count("waiting for it"), 1);
    QCOMPARE(QStringList(outputs("out").keys()),
             (QStringList{"a_gaussian.png", "broken_gaussian.png"}));
  }
};

QTEST_GUILESS_MAIN(TestBatchWatch)
#include "test_batch_watch.moc"
