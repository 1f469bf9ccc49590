// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Without the library libOpenCL.so.1, or with one that lacks functions, programs start and find no
// device.
#include <QRegularExpression>
#include <QStandardPaths>

#include "cli/program.hpp"
#include "conditions/vendors.hpp"
#include "support/skips.hpp"

class TestLoader : public CliTest {
  Q_OBJECT

  // The environment in which the library is searched in this folder first.
  QStringList with(const QString& folder) const {
    const QString more = qEnvironmentVariable("LD_LIBRARY_PATH");
    return {"LD_LIBRARY_PATH=" + folder + (more.isEmpty() ? "" : ":" + more)};
  }
  // The linker refuses an empty file, and does not look for another.
  QStringList without_library() const { return with(path("empty")); }

  QStringList calls(const QStringList& environment) {
    program_ = SFUMATO_OPENCL_CALLS;
    const Run r = run({}, environment);
    program_ = SFUMATO_PROGRAM;
    return r.status == 0 ? r.out.split('\n') : QStringList{"failed: " + r.err, ""};
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(folder_.isValid() && QDir().mkpath(path("empty")) && QDir().mkpath(path("none")));
    write("empty/libOpenCL.so.1", "");
    write_ppm("in.ppm", 60, 40);
  }

  void calls_are_answered_data() {
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("library");
    QTest::newRow("no library") << without_library()
                                << "platforms -1001, devices 0, flush -59, buffer -59, address none"
                                << "";
    QTest::newRow("few functions") << with(SFUMATO_BARE_LOADER)
                                   << "platforms 0, devices 0, flush -59, buffer -59, address none"
                                   << SFUMATO_BARE_LOADER "/libOpenCL.so.1";
  }

  void calls_are_answered() {
    QFETCH(const QStringList, environment);
    QFETCH(const QString, answers);
    QFETCH(const QString, library);
    QCOMPARE(calls(environment), (QStringList{answers, library, ""}));
  }

  void the_system_s_library_is_called() {
    if (copy_good_drivers(path("vendors")) == 0) SKIP_WITHOUT("an OpenCL driver");
    const QStringList said = calls({});
    // Not the status of a missing function, but the library's own.
    QVERIFY2(said[0].startsWith("platforms 0, devices ") && !said[0].contains("devices 0") &&
                 said[0].contains("flush -36, buffer -34"),
             qPrintable(said[0]));
    QVERIFY2(said[1].contains("libOpenCL.so.1"), qPrintable(said[1]));
  }

  void filters_run_as_without_a_driver() {
    const QStringList words{"gaussian", "in.ppm", "out.ppm", "--sigma", "3", "--overwrite"};
    const QStringList no_driver{"OCL_ICD_VENDORS=" + path("none")};
    QCOMPARE(run(words, no_driver).status, 0);
    const QByteArray expected = read("out.ppm");
    const QString devices = run({"devices"}, no_driver).out;
    QVERIFY(!expected.isEmpty() && !devices.isEmpty());
    for (const QStringList& environment : {without_library(), with(SFUMATO_BARE_LOADER)}) {
      remove({"out.ppm"});
      const Run r = run(words, environment);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QCOMPARE(read("out.ppm"), expected);
      const Run listed = run({"devices"}, environment);
      QCOMPARE(listed.status, 0);
      // A loader that is there may know no function of ours.
      const bool is_named = listed.out.contains("OpenCL's loader libOpenCL.so.1 is not installed");
      QCOMPARE(is_named, environment == without_library());
      if (!is_named) QCOMPARE(listed.out, devices);
      QCOMPARE(run({"--version"}, environment).status, 0);
    }
  }

  // Neither needed from others nor offered to them.
  void no_program_names_the_library_or_its_functions() {
    const QString readelf = QStandardPaths::findExecutable("readelf");
    if (readelf.isEmpty()) SKIP_WITHOUT("readelf");
    static const QRegularExpression function("\\scl[A-Z]\\w+");
    for (const QString& file : QString(SFUMATO_LINKED).split('|')) {
      QProcess process;
      settle(process);
      process.start(readelf, {"--wide", "--dynamic", "--dyn-syms", file});
      QVERIFY(process.waitForFinished(60000));
      const QString said = QString::fromUtf8(process.readAllStandardOutput());
      QVERIFY2(said.contains("libc.so.6"), qPrintable(file));
      QVERIFY2(!said.contains("libOpenCL"), qPrintable(file));
      QVERIFY2(!said.contains(function), qPrintable(file + function.match(said).captured()));
    }
  }
};

QTEST_GUILESS_MAIN(TestLoader)
#include "test_loader.moc"
