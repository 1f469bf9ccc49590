// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Slow: the system fails a decoder while it reads a file: the right file or none, one sentence, and
// nothing left. A selection, or with SFUMATO_TEST_ALL=1 every call.
#include <QFileInfo>
#include <QRandomGenerator>
#include <cerrno>

#include "cli/batch_program.hpp"
#include "fuzz/failing_program.hpp"

class TestFailingDecoder : public BatchTest {
  Q_OBJECT

  static bool all() { return qEnvironmentVariableIntValue("SFUMATO_TEST_ALL") != 0; }

  QStringList filter(const QString& input, const QString& output) const {
    return {"gaussian", path(input), path(output), "--sigma", "2", "--device", "reference"};
  }
  // A depth that needs no warning.
  QStringList filter(const QString& input) const {
    return filter(input, "out.png") + QStringList{"--bits", "16"};
  }

 private Q_SLOTS:
  void initTestCase() {
    make_inputs(1, 60, 40);
    for (const char* extension : {"png", "jpg", "tif", "exr", "webp", "pfm", "hdr"}) {
      const QString input = QString("in/a.") + extension;
      QCOMPARE(run(filter("in/000.ppm", input)).status, 0);
    }
    QVERIFY(QFile::copy(path("in/000.ppm"), path("in/a.ppm")));
  }

  void every_call_may_fail_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("error");
    struct FailureMode {
      const char* name;
      int error;
    };
    const FailureMode ways[] = {{"EIO", EIO}, {"EINTR", EINTR}, {"short", 0}};
    for (const char* extension : {"ppm", "png", "jpg", "tif", "exr", "webp", "pfm", "hdr"}) {
      for (const char* call : {"read", "pread", "fread"}) {
        for (const FailureMode& way : ways) {
          if (way.error == EINTR && !all()) continue;
          QTest::addRow("%s: %s with %s", extension, call, way.name)
              << QString("in/a.") + extension << QString(call) << way.error;
        }
      }
    }
  }
  void every_call_may_fail() {
    QFETCH(const QString, input);
    QFETCH(const QString, call);
    QFETCH(const int, error);
    QFile::remove(path("out.png"));
    QCOMPARE(run(filter(input)).status, 0);
    const QByteArray right = read("out.png");
    // In the selection: the first, and some at random, the same ones each time.
    QRandomGenerator random(qChecksum(QByteArrayView(QTest::currentDataTag())));
    constexpr int most = 2000;
    int tried = 0, refused = 0;
    for (int at = 1; at < most; at += all() || at < 3 ? 1 : 1 + random.bounded(80)) {
      QFile::remove(path("out.png"));
      QFile::remove(path("said"));
      const Run r = run(filter(input), failing({.call = call,
                                                .at = at,
                                                .error = error,
                                                .said = path("said"),
                                                .in = "sfumato-decode"}));
      if (QFileInfo(path("said")).size() == 0) break;  // there are fewer
      ++tried;
      refused += r.status;
      const QString label = QString("%1. %2, errno %3: %4: %5")
                                .arg(at)
                                .arg(call)
                                .arg(error)
                                .arg(r.status)
                                .arg(QString(r.err));
      QVERIFY2(r.status == 0 || r.status == 1, qPrintable(label));
      if (r.status == 1) QVERIFY2(one_line(r.err), qPrintable(label));
      QVERIFY2(read("out.png") == (r.status == 0 ? right : QByteArray()), qPrintable(label));
      const QStringList hidden =
          QDir(path("")).entryList({".*"}, QDir::Files | QDir::Hidden | QDir::System);
      QVERIFY2(hidden.isEmpty(), qPrintable(label + hidden.join(' ')));
    }
    qInfo("%d runs, %d refused", tried, refused);
  }
};

QTEST_GUILESS_MAIN(TestFailingDecoder)
#include "test_failing_decoder.moc"
