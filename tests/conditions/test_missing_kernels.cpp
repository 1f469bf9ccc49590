// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A program whose kernels for processors are missing, damaged or not those that its filters ask
// for: the next device computes the picture, and the user is told once.
#include "cli/program.hpp"
#include "support/native_object.hpp"
#include "support/skips.hpp"

class TestMissingKernels : public CliTest {
  Q_OBJECT

  const QDir own_{QFileInfo(SFUMATO_PROGRAM).dir().filePath("../lib/sfumato")};
  QDir parts_;

  static QByteArray content_of(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
  }
  QStringList kernels() const { return own_.entryList({"kernels-*.so"}, QDir::Files); }

  // Gives the program this object in place of each of its own.
  void put(const QByteArray& object) {
    for (const QString& name : kernels()) {
      QFile::remove(parts_.filePath(name));
      if (object.isEmpty()) continue;
      QFile out(parts_.filePath(name));
      QVERIFY(out.open(QIODevice::WriteOnly));
      QCOMPARE(out.write(object), object.size());
    }
  }
  Run filter(const QStringList& environment = {}) {
    QFile::remove(path("out.png"));
    return run({"gaussian", "in.ppm", "out.png", "--sigma", "3", "--verbose"}, environment);
  }
  QStringList without_drivers() const { return {"OCL_ICD_VENDORS=" + path("none")}; }

  // The lines of what was said that hold these words.
  static QStringList lines(const Run& r, const char* words) {
    return r.err.split('\n').filter(QString::fromLatin1(words));
  }

 private Q_SLOTS:
  void initTestCase() {
    if (kernels().isEmpty()) SKIP_WITHOUT("the built-in device");
    // A program of its own, beside parts that are links to those of the other.
    QVERIFY(folder_.isValid() && QDir(folder_.path()).mkpath("bin") &&
            QDir(folder_.path()).mkpath("lib/sfumato") && QDir(folder_.path()).mkpath("none"));
    QVERIFY(QFile::copy(SFUMATO_PROGRAM, path("bin/sfumato")));
    program_ = path("bin/sfumato");
    parts_ = QDir(path("lib/sfumato"));
    for (const QString& name : own_.entryList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
      QVERIFY(QFile::link(own_.absoluteFilePath(name), parts_.filePath(name)));
    }
    write_ppm("in.ppm", 60, 40);
  }

  void a_kernel_that_is_missing_is_said_once_data() {
    QTest::addColumn<bool>("drivers");
    QTest::newRow("another driver takes over") << true;
    QTest::newRow("the reference takes over") << false;
  }
  void a_kernel_that_is_missing_is_said_once() {
    QFETCH(const bool, drivers);
    put(sfumato::testing::whole_object(content_of(SFUMATO_NATIVE_OBJECT)));
    const Run r = filter(drivers ? QStringList{} : without_drivers());
    QVERIFY2(r.status == 0 && QFile::exists(path("out.png")), qPrintable(r.err));
    QVERIFY2(lines(r, "there is no kernel").size() == 1, qPrintable(r.err));
    const QString device = lines(r, "60 x 40 pixels on").value(0);
    QVERIFY2(drivers != device.contains("reference") && !device.contains("on processor"),
             qPrintable(r.err));
  }

  void objects_that_cannot_be_used_are_said_once_data() {
    QTest::addColumn<QByteArray>("object");
    QTest::addColumn<QString>("words");
    const QByteArray good = content_of(own_.filePath(kernels().value(0)));
    QByteArray changed = good;
    changed[good.size() / 2] = static_cast<char>(changed[good.size() / 2] ^ 4);
    QTest::newRow("missing") << QByteArray() << "lacks its file kernels-";
    QTest::newRow("damaged") << changed << "is damaged";
    QTest::newRow("cut") << good.left(good.size() / 3) << "is damaged";
  }
  void objects_that_cannot_be_used_are_said_once() {
    QFETCH(const QByteArray, object);
    QFETCH(const QString, words);
    put(object);
    for (const bool drivers : {true, false}) {
      const Run r = filter(drivers ? QStringList{} : without_drivers());
      QVERIFY2(r.status == 0 && QFile::exists(path("out.png")), qPrintable(r.err));
      QVERIFY2(lines(r, qPrintable(words)).size() == 1, qPrintable(r.err));
    }
  }
};

QTEST_GUILESS_MAIN(TestMissingKernels)
#include "test_missing_kernels.moc"
