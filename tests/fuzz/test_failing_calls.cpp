// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Slow: one call of the system fails, for every call: the right file or the untouched old one, one
// sentence, and nothing left. A selection, or with SFUMATO_TEST_ALL=1 all. Calls that write are
// tried in every format.
#include <OpenImageIO/imageio.h>

#include <QFileInfo>
#include <QRandomGenerator>
#include <cerrno>
#include <vector>

#include "cli/batch_program.hpp"
#include "fuzz/failing_program.hpp"

class TestFailingCalls : public BatchTest {
  Q_OBJECT

  static bool all() { return qEnvironmentVariableIntValue("SFUMATO_TEST_ALL") != 0; }

  QHash<QString, QByteArray> right_;  // by extension
  QByteArray right_picture_;          // of the TIFF file, as picture_in() returns it
  QByteArray right_of_batch_[3];

  QStringList render(const QString& output, const QStringList& more = {}) const {
    return QStringList{"gaussian", path("in/000.ppm"), output,     "--sigma",
                       "2",        "--device",         "reference"} +
           more;
  }
  static QStringList batch(const QStringList& more = {}) {
    return command(
        "out", QStringList{"in", "--format", "png", "--report", "out/report.json", "-q"} + more);
  }

  void clear() const {
    QDir(path("out")).removeRecursively();
    make_folder("out");
    QFile::remove(path("said"));
  }

  QStringList hidden() const {
    return QDir(path("out")).entryList({".*"}, QDir::Files | QDir::Hidden | QDir::System);
  }

  // What another reader makes of a file: its header as text, and its samples.
  static QByteArray picture_in(const QString& file) {
    const auto in = OIIO::ImageInput::open(file.toStdString());
    if (!in) return {};
    const OIIO::ImageSpec& spec = in->spec();
    std::vector<char> samples(spec.image_bytes(true));
    if (!in->read_image(0, 0, 0, spec.nchannels, spec.format, samples.data())) return {};
    return QByteArray::fromStdString(spec.to_xml()) +
           QByteArray(samples.data(), static_cast<qsizetype>(samples.size()));
  }

  // A TIFF directory that could not be written is written again, behind the first.
  bool is_right(const QString& extension, const QByteArray& now) const {
    if (now == right_[extension]) return true;
    return extension == "tif" && picture_in(path("out/a.tif")) == right_picture_;
  }

  // Whether a call failed in this run; false: the program makes fewer of them.
  bool has_failed() const { return QFileInfo(path("said")).size() > 0; }

  void check_render(const Run& r, const QString& extension, const QByteArray& old,
                    const QString& label) const {
    QVERIFY2(r.status == 0 || r.status == 1, qPrintable(label));
    if (r.status == 1) QVERIFY2(one_line(r.err), qPrintable(label));
    QVERIFY2(hidden().isEmpty(), qPrintable(label + hidden().join(' ')));
    const QByteArray now = read("out/a." + extension);
    QVERIFY2(r.status == 0 ? is_right(extension, now) : now == old, qPrintable(label));
  }

  void check_batch(const Run& r, const QString& label) const {
    QVERIFY2(r.status == 0 || r.status == 1, qPrintable(label));
    QVERIFY2(r.status == 0 || r.err.startsWith("sfumato: "), qPrintable(label));
    QVERIFY2(hidden().isEmpty(), qPrintable(label + hidden().join(' ')));
    int made = 0;
    for (int i = 0; i < 3; ++i) {
      const QByteArray now = read(QString("out/00%1_gaussian.png").arg(i));
      QVERIFY2(now.isEmpty() || now == right_of_batch_[i], qPrintable(label));
      made += now.isEmpty() ? 0 : 1;
    }
    QVERIFY2(r.status == 1 || made == 3, qPrintable(label));
  }

 private Q_SLOTS:
  void initTestCase() {
    make_inputs(3, 60, 40);
    make_folder("out");
    for (const char* extension : {"png", "jpg", "tif", "exr", "webp", "pfm", "hdr"}) {
      const QString output = QString("out/a.") + extension;
      QCOMPARE(run(render(output)).status, 0);
      right_[extension] = read(output);
      QVERIFY(!right_[extension].isEmpty());
    }
    right_picture_ = picture_in(path("out/a.tif"));
    QVERIFY(!right_picture_.isEmpty());
    clear();
    const Run r = run(batch());
    QVERIFY2(r.status == 0, qPrintable(r.err));
    for (int i = 0; i < 3; ++i) {
      right_of_batch_[i] = read(QString("out/00%1_gaussian.png").arg(i));
      QVERIFY(!right_of_batch_[i].isEmpty());
    }
  }

  void every_call_may_fail_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("kind");
    struct FailureMode {
      const char* name;
      int error;
    };
    const FailureMode ways[] = {
        {"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EINTR", EINTR}, {"EMFILE", EMFILE}, {"short", 0}};
    const QStringList moving{"read", "pread", "write", "pwrite"};
    const QStringList last{"pwrite", "fsync", "rename", "close"};  // of a file that is replaced
    for (const char* kind :
         {"new", "replaced", "batch", "jpg", "tif", "exr", "webp", "pfm", "hdr"}) {
      const bool is_format = right_.contains(kind);
      for (const char* call : {"open", "read", "pread", "write", "pwrite", "fsync", "rename",
                               "link", "mmap", "ftruncate", "close"}) {
        for (const FailureMode& way : ways) {
          if (way.error == 0 && !moving.contains(call)) continue;
          if (is_format && !QString(call).contains("write")) continue;
          const bool usual = way.error == EIO || way.error == 0;
          const bool chosen = usual && (qstrcmp(kind, "replaced") != 0 || last.contains(call));
          if (!chosen && !all()) continue;
          QTest::addRow("%s: %s with %s", kind, call, way.name)
              << QString(call) << way.error << QString(kind);
        }
      }
    }
  }
  void every_call_may_fail() {
    QFETCH(const QString, call);
    QFETCH(const int, error);
    QFETCH(const QString, kind);
    // In the selection: the first, and some at random, the same ones each time.
    QRandomGenerator random(qChecksum(QByteArrayView(QTest::currentDataTag())));
    const bool is_batch = kind == "batch";
    const QString extension = right_.contains(kind) ? kind : "png";
    const QString output = "out/a." + extension;
    const QByteArray old = kind == "replaced" ? QByteArray("the old file") : QByteArray();
    constexpr int most = 2000;
    bool more = true;
    int tried = 0;
    for (int at = 1; more && at < most;
         at += all() || (!is_batch && at < 3) ? 1 : 1 + random.bounded(60)) {
      clear();
      if (!old.isEmpty()) write(output, old);
      // What concerns the test's own files and memory that programs share.
      const Failure failure{
          .call = call,
          .path = call == "mmap" || call == "ftruncate" ? "memfd" : folder_.path(),
          .at = at,
          .error = error,
          .said = path("said")};
      const QStringList arguments =
          is_batch
              ? batch()
              : render(path(output), old.isEmpty() ? QStringList() : QStringList{"--overwrite"});
      const Run r = run(arguments, failing(failure));
      more = has_failed();
      if (!more) break;
      ++tried;
      const QString label =
          QString("%1. %2, errno %3: %4: %5").arg(at).arg(call).arg(error).arg(r.status).arg(r.err);
      if (is_batch) {
        check_batch(r, label);
      } else {
        check_render(r, extension, old, label);
      }
      if (QTest::currentTestFailed()) return;
    }
    qInfo("%d runs", tried);
    QStringList made{"open", "pwrite", "rename", "close", "ftruncate", "mmap"};
    if (is_batch)
      made << "write"
           << "fsync";
    if (!old.isEmpty()) made << "fsync";
    QVERIFY2(tried > 0 || extension != "png" || !made.contains(call), "no such call was made");
  }
};

QTEST_GUILESS_MAIN(TestFailingCalls)
#include "test_failing_calls.moc"
