// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Drivers that end the process that loads them: each is left out, reported once, and the others
// still work.
#include <QFileDevice>
#include <QJsonDocument>
#include <QJsonParseError>
#include <QRegularExpression>

#include <sys/resource.h>
#include <utime.h>

#include <csignal>

#include "cli/program.hpp"
#include "conditions/vendors.hpp"
#include "support/skips.hpp"

class TestDrivers : public CliTest {
  Q_OBJECT

  // The time of a verdict.
  static inline const QRegularExpression times{"\t\\d+\t"};

  QString vendors() const { return path("vendors"); }
  Run filter(const QStringList& more = {}) {
    QFile::remove(path("out.png"));
    return run({"gaussian", "in.ppm", "out.png", "--sigma", "3", "--verbose"},
               QStringList{"OCL_ICD_VENDORS=" + vendors()} + more);
  }
  // Messages other than --verbose's lines.
  static QStringList warnings(const Run& run) {
    return run.err.split('\n').filter("left out") + run.err.split('\n').filter("OpenCL is not");
  }

 private Q_SLOTS:
  void init() {
    qputenv("SFUMATO_BUILT_IN", "0");  // drivers matter most where nothing else is there
    QVERIFY(folder_.isValid());
    QDir(vendors()).removeRecursively();
    QDir(path("cache/sfumato")).removeRecursively();
    write_ppm("in.ppm", 60, 40);
  }

  void one_that_misbehaves_is_left_out_data() {
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("words");
    QTest::newRow("missing") << "libsfumato-no-such-driver.so.1"
                             << "cannot be loaded (";
    QTest::newRow("no library") << SFUMATO_PROGRAM "-no-such"
                                << "cannot be loaded (";
    QTest::newRow("aborts") << bad_driver("aborts") << "it crashes while its library is loaded";
    QTest::newRow("exits on load")
        << bad_driver("exits_on_load") << "it ends the program while its library is loaded";
    QTest::newRow("crashes") << bad_driver("crashes") << "it crashes while listing its devices";
    QTest::newRow("exits") << bad_driver("exits")
                           << "it ends the program while listing its devices";
    QTest::newRow("hangs") << bad_driver("hangs") << "it hangs while listing its devices";
    QTest::newRow("aborts at exit")
        << bad_driver("aborts_at_exit") << "it crashes when the program ends";
    QTest::newRow("hangs at exit")
        << bad_driver("hangs_at_exit") << "it hangs when the program ends";
  }

  void one_that_misbehaves_is_left_out() {
    QFETCH(const QString, library);
    QFETCH(const QString, words);
    const bool others = copy_good_drivers(vendors()) > 0;
    const Run good = filter();
    QVERIFY2(good.status == 0 && warnings(good).isEmpty(), qPrintable(good.err));
    const QByteArray expected = read("out.png");

    QVERIFY(write_icd(vendors() + "/0-bad ä.icd", library));
    const Run first = filter();
    QVERIFY2(first.status == 0, qPrintable(first.err));
    QVERIFY2(warnings(first).size() == 1 && warnings(first)[0].contains("0-bad ä.icd") &&
                 warnings(first)[0].contains(words),
             qPrintable(first.err));
    QCOMPARE(read("out.png"), expected);
    QCOMPARE(first.err.contains("(no OpenCL)"), good.err.contains("(no OpenCL)"));

    // Now known, and not reported again while another driver works; the list of devices still names
    // it.
    const Run second = filter();
    QVERIFY2(second.status == 0, qPrintable(second.err));
    QCOMPARE(warnings(second).size(), others ? 0 : 1);
    QCOMPARE(read("out.png"), expected);
    const Run devices = run({"devices"}, {"OCL_ICD_VENDORS=" + vendors()});
    QVERIFY2(devices.status == 0 && devices.out.contains("0-bad ä.icd"), qPrintable(devices.out));
  }

  void one_alone_leaves_the_reference() {
    QDir().mkpath(vendors());
    for (const QString& library : {bad_driver("aborts"), bad_driver("exits")}) {
      QVERIFY(write_icd(vendors() + "/alone.icd", library));
      for (int start = 0; start < 2; ++start) {
        const Run r = filter();
        QVERIFY2(r.status == 0 && r.err.contains("(no OpenCL)"), qPrintable(r.err));
        QVERIFY2(warnings(r).size() == 1 && warnings(r)[0].contains("alone.icd"),
                 qPrintable(r.err));
      }
      // Named on its own, with and without its folder, and as a library.
      for (const QString& name : {vendors() + "/alone.icd", library}) {
        const Run r = filter({"OCL_ICD_VENDORS=" + name});
        QVERIFY2(r.status == 0 && warnings(r).size() == 1, qPrintable(r.err));
      }
      const Run bare = filter({"OCL_ICD_VENDORS=alone.icd", "OPENCL_VENDOR_PATH=" + vendors()});
      QVERIFY2(bare.status == 0 && warnings(bare).size() == 1, qPrintable(bare.err));
    }
  }

  void one_that_changed_gets_another_try() {
    copy_good_drivers(vendors());
    const QString library = path("driver.so");
    QVERIFY(QFile::copy(bad_driver("aborts"), library));
    QVERIFY(write_icd(vendors() + "/changing.icd", library));
    QVERIFY(warnings(filter())[0].contains("it crashes while its library is loaded"));
    QVERIFY(QFile::remove(library) && QFile::copy(bad_driver("exits"), library));
    QFile file(library);  // copies keep no times, and two may fall into one tick of the clock
    QVERIFY(file.open(QIODevice::ReadWrite) &&
            file.setFileTime(QDateTime::currentDateTime().addSecs(5),
                             QFileDevice::FileModificationTime));
    file.close();
    const Run again = filter();
    QVERIFY2(warnings(again).size() == 1 && warnings(again)[0].contains("it ends the program"),
             qPrintable(again.err));
    QVERIFY(QFile::remove(library));
  }

  void a_damaged_record_is_made_anew() {
    copy_good_drivers(vendors());
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    QCOMPARE(warnings(filter()).size(), 1);
    const QByteArray record = read("cache/sfumato/drivers");
    QVERIFY(record.contains("bad.icd"));
    const auto verdicts = [](const QByteArray& text) {
      return QString::fromUtf8(text).replace(times, "\t");
    };
    for (const QByteArray& damaged :
         {QByteArray(), record.left(record.size() / 2), QByteArray(5000, '\xff'),
          QByteArray("sfumato-drivers-99\n")}) {
      write("cache/sfumato/drivers", damaged);
      const Run r = filter();
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QCOMPARE(verdicts(read("cache/sfumato/drivers")), verdicts(record));
    }
  }

  void control_c_ends_a_trial_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("filter") << QStringList{"gaussian", "in.ppm", "out.png"};
    QTest::newRow("devices") << QStringList{"devices"};
  }

  void control_c_ends_a_trial() {
    QFETCH(const QStringList, words);
    QDir().mkpath(vendors());
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("hangs")));
    QFile::remove(path("out.png"));
    QProcess process;
    settle(process, {"OCL_ICD_VENDORS=" + vendors()});
    process.start(program_, words);
    QVERIFY(process.waitForStarted());
    // The child that tries the driver exists.
    const QString children = QString("/proc/%1/task/%1/children").arg(process.processId());
    const auto tries = [&] {
      QFile file(children);
      return file.open(QIODevice::ReadOnly) && !file.readAll().isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(tries() || process.state() == QProcess::NotRunning, 60000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60000));
    const QString err = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(process.exitCode() == 1 && one_line(err) && err.contains("stopped"), qPrintable(err));
    QVERIFY(!QFile::exists(path("out.png")) && read("cache/sfumato/drivers").isEmpty());
  }

  void a_limit_of_the_moment_marks_no_driver() {
    if (is_sanitized) QSKIP("sanitizers open files of their own");
    if (copy_good_drivers(vendors()) == 0) SKIP_WITHOUT("an OpenCL driver");
    const QStringList environment{"OCL_ICD_VENDORS=" + vendors()};
    // Too few file descriptors for any library.
    const Run limited = run({"devices"}, environment, [] {
      const rlimit few{5, 5};
      ::setrlimit(RLIMIT_NOFILE, &few);
    });
    // How far a driver gets depends on the files already open.
    QVERIFY2(limited.out.contains("not used: ") || limited.out.contains("No OpenCL device"),
             qPrintable(limited.out + limited.err));
    const Run devices = run({"devices"}, environment);
    QVERIFY2(devices.out.startsWith("0 ") && !devices.out.contains("not used: "),
             qPrintable(devices.out));
  }

  void under_another_limit_a_driver_is_tried_again() {
    copy_good_drivers(vendors());
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    const auto limit = [] {
      rlimit files{};
      ::getrlimit(RLIMIT_NOFILE, &files);
      files.rlim_cur = 200;
      ::setrlimit(RLIMIT_NOFILE, &files);
    };
    const auto lines = [&] { return read("cache/sfumato/drivers").count("bad.icd"); };
    const QStringList environment{"OCL_ICD_VENDORS=" + vendors()};
    QCOMPARE(warnings(run({"devices"}, environment, limit)).size(), 1);
    QCOMPARE(lines(), 1);
    QCOMPARE(warnings(run({"devices"}, environment)).size(), 1);
    QCOMPARE(lines(), 2);
  }

  void a_fault_is_forgotten_after_a_month() {
    if (copy_good_drivers(vendors()) == 0) SKIP_WITHOUT("an OpenCL driver");
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    QCOMPARE(warnings(filter()).size(), 1);
    QCOMPARE(warnings(filter()).size(), 0);
    QString record = QString::fromUtf8(read("cache/sfumato/drivers"));
    write("cache/sfumato/drivers", record.replace(times, "\t1\t").toUtf8());
    QCOMPARE(warnings(filter()).size(), 1);
  }

  void a_parent_that_ignores_its_children_learns_the_same() {
    copy_good_drivers(vendors());
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    const Run r =
        run({"devices"}, {"OCL_ICD_VENDORS=" + vendors()}, [] { std::signal(SIGCHLD, SIG_IGN); });
    QVERIFY2(r.status == 0 && r.out.contains("it crashes while its library is loaded"),
             qPrintable(r.out + r.err));
  }

  void a_link_of_any_name_leads_to_a_driver() {
    if (copy_good_drivers(vendors()) == 0) SKIP_WITHOUT("an OpenCL driver");
    for (const QString& name : QDir(vendors()).entryList({"*.icd"})) {
      QVERIFY(QFile::rename(vendors() + "/" + name, path(name + ".text")));
      QVERIFY(QFile::link(path(name + ".text"), vendors() + "/1-" + name));
    }
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    const Run devices = run({"devices"}, {"OCL_ICD_VENDORS=" + vendors()});
    QVERIFY2(devices.out.startsWith("0 ") && devices.out.count("not used: ") == 1,
             qPrintable(devices.out));
  }

  void completion_loads_no_driver_untried() {
    copy_good_drivers(vendors());
    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    const QStringList words{"--complete-described", "gaussian", "--device", ""};
    const QStringList environment{"OCL_ICD_VENDORS=" + vendors()};
    const Run first = run(words, environment);
    QVERIFY2(first.status == 0 && first.out.contains("reference\t") && !first.out.contains("PU: "),
             qPrintable(first.out + first.err));
    const Run devices = run({"devices"}, environment);
    const Run known = run(words, environment);
    QVERIFY2(known.status == 0 && known.err.isEmpty(), qPrintable(known.err));
    QCOMPARE(known.out.contains("0\t"), devices.out.startsWith("0 "));
  }

  void folders_of_links_go_when_none_uses_them() {
    copy_good_drivers(vendors());
    const QString kept = path("cache/sfumato/vendors-0"), old = path("cache/sfumato/vendors-1");
    for (const QString& folder : {kept, old}) {
      QVERIFY(QDir().mkpath(folder));
      QVERIFY(QFile::link(vendors(), folder + "/0-x.icd"));
    }
    const utimbuf old_time{1, 1};
    QCOMPARE(::utime(old.toLocal8Bit().constData(), &old_time), 0);
    QCOMPARE(filter().status, 0);
    QVERIFY(QDir(kept).exists() && !QDir(old).exists());
    QVERIFY(QDir(vendors()).exists());
  }

  void names_command_no_terminal() {
    QDir().mkpath(vendors());
    QVERIFY(write_icd(vendors() + "/a\x1b]0;x\x07.icd", "libno\x1b[31m.so"));
    for (const QStringList& words : {QStringList{"devices"}, {"gaussian", "in.ppm", "out.png"}}) {
      const Run r = run(words + QStringList{}, {"OCL_ICD_VENDORS=" + vendors()});
      QVERIFY2(r.status == 0 && (r.out + r.err).contains("cannot be loaded"), qPrintable(r.err));
      QVERIFY(!(r.out + r.err).contains('\x1b') && !(r.out + r.err).contains('\x07'));
      remove({"out.png"});
    }
  }

  void without_a_path_the_linker_is_found() {
    if (copy_good_drivers(vendors()) == 0) SKIP_WITHOUT("an OpenCL driver");
    QDir().mkpath(path("none"));
    for (const QString& folders : {QString(), path("none")}) {
      QDir(path("cache")).removeRecursively();
      const Run r = filter({"PATH=" + folders});
      QVERIFY2(r.status == 0 && !r.err.contains("(no OpenCL)"), qPrintable(r.err));
    }
  }

  void files_that_name_nothing_are_passed_over() {
    const bool others = copy_good_drivers(vendors()) > 0;
    write("vendors/empty.icd", "");
    QDir().mkpath(vendors() + "/folder.icd");
    QFile::link("/nonexistent/x.icd", vendors() + "/dangling.icd");
    const Run r = filter();
    QVERIFY2(r.status == 0 && warnings(r).isEmpty(), qPrintable(r.err));
    QCOMPARE(r.err.contains("(no OpenCL)"), !others);
  }

  void what_a_driver_prints_is_no_output_of_ours() {
    copy_good_drivers(vendors());
    QVERIFY(write_icd(vendors() + "/chatters.icd", bad_driver("chatters")));
    const QStringList environment{"OCL_ICD_VENDORS=" + vendors()};
    for (int start = 0; start < 2; ++start) {
      const Run devices = run({"devices", "--json"}, environment);
      QJsonParseError error{};
      QJsonDocument::fromJson(devices.out.toUtf8(), &error);
      QVERIFY2(devices.status == 0 && error.error == QJsonParseError::NoError,
               qPrintable(devices.out));
      QVERIFY2(devices.err.contains("a driver's chatter"), qPrintable(devices.err));
    }
    const Run batch =
        run({"batch", "gaussian", "-o", "out", "in.ppm", "--json-lines", "--existing", "overwrite"},
            environment);
    QCOMPARE(batch.status, 0);
    for (const QString& line : batch.out.split('\n', Qt::SkipEmptyParts)) {
      QVERIFY2(line.startsWith('{'), qPrintable(line));
    }
    QVERIFY2(batch.out.contains("\"plan\"") && batch.out.contains("\"summary\""),
             qPrintable(batch.out));
  }

  void the_built_in_device_needs_none() {
    qunsetenv("SFUMATO_BUILT_IN");
    if (!run({"devices"}).out.contains("built in")) SKIP_WITHOUT("the built-in device");
    QDir().mkpath(vendors());
    const Run none = filter();
    QVERIFY2(none.status == 0 && warnings(none).isEmpty() && !none.err.contains("OpenCL"),
             qPrintable(none.err));
    const Run list = run({"devices"}, {"OCL_ICD_VENDORS=" + vendors()});
    QVERIFY2(list.status == 0 && list.out.startsWith("0  CPU") && list.out.count("CPU") == 1 &&
                 list.err.isEmpty(),
             qPrintable(list.out + list.err));

    QVERIFY(write_icd(vendors() + "/bad.icd", bad_driver("aborts")));
    for (const QString& device : {QString("cpu"), QString("auto")}) {
      const Run bad = filter({"SFUMATO_DEVICE=" + device});
      QVERIFY2(bad.status == 0 && !bad.err.contains("(no OpenCL)"), qPrintable(bad.err));
      // The processor is asked for, so no driver is tried.
      if (device == "cpu") QVERIFY2(warnings(bad).isEmpty(), qPrintable(bad.err));
    }
    const Run left_out = run({"devices"}, {"OCL_ICD_VENDORS=" + vendors()});
    QVERIFY2(left_out.out.startsWith("0  CPU") && left_out.out.contains("not used: "),
             qPrintable(left_out.out));
  }

  void without_any_driver_the_reference_runs() {
    QDir().mkpath(path("none"));
    for (const QString& none : {path("none"), QString("/nonexistent/vendors")}) {
      const QStringList environment{"OCL_ICD_VENDORS=" + none};
      const Run r = filter(environment);
      QVERIFY2(r.status == 0 && r.err.contains("(no OpenCL)") && warnings(r).isEmpty(),
               qPrintable(r.err));
      QCOMPARE(r.err.count("no OpenCL driver is installed"), 1);
      const Run batch =
          run({"batch", "gaussian", "-o", "out", "in.ppm", "--existing", "overwrite", "--quiet"},
              environment);
      QVERIFY2(batch.status == 0 && one_line(batch.err) &&
                   batch.err.contains("no OpenCL driver is installed"),
               qPrintable(batch.err));
      const Run asked = run(
          {"gaussian", "in.ppm", "out.png", "--overwrite", "--device", "reference"}, environment);
      QVERIFY2(asked.status == 0 && asked.err.isEmpty(), qPrintable(asked.err));
      const Run devices = run({"devices"}, environment);
      QVERIFY2(devices.status == 0 && devices.out.startsWith("No OpenCL device") &&
                   devices.out.contains("pocl-opencl-icd") && devices.err.isEmpty(),
               qPrintable(devices.out + devices.err));
    }
  }

  // No advice to install a driver that is installed.
  void drivers_that_are_left_out_are_installed() {
    QDir().mkpath(vendors());
    QVERIFY(write_icd(vendors() + "/alone.icd", bad_driver("aborts")));
    const QStringList environment{"OCL_ICD_VENDORS=" + vendors()};
    const Run devices = run({"devices"}, environment);
    QVERIFY2(devices.out.startsWith("No OpenCL device") && devices.out.contains("not used: ") &&
                 !devices.out.contains("pocl-opencl-icd"),
             qPrintable(devices.out));
  }

  void drivers_that_lack_memory_are_installed() {
    if (is_sanitized) QSKIP("sanitizers need more memory than is left");
    QDir().mkpath(vendors());
    QVERIFY(write_icd(vendors() + "/known.icd", bad_driver("aborts")));
    const QStringList environment{"OCL_ICD_VENDORS=" + vendors()};
    QVERIFY(run({"devices"}, environment).out.startsWith("No OpenCL device"));
    if (copy_good_drivers(vendors()) == 0) SKIP_WITHOUT("an OpenCL driver");
    const Run little = run({"devices"}, environment, [] {
      const rlimit half{rlim_t{512} << 20, rlim_t{512} << 20};
      ::setrlimit(RLIMIT_AS, &half);
    });
    QVERIFY2(little.out.startsWith("No OpenCL device") && !little.out.contains("pocl-opencl-icd") &&
                 little.err.contains("OpenCL is not used"),
             qPrintable(little.out + little.err));
  }
};

QTEST_GUILESS_MAIN(TestDrivers)
#include "test_drivers.moc"
