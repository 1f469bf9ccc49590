// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Kernels are kept somewhere even if the user's cache is unusable, and names may contain anything.
#include <sys/mount.h>
#include <unistd.h>
#include <utime.h>

#include "cli/program.hpp"
#include "support/skips.hpp"

class TestFolders : public CliTest {
  Q_OBJECT

  static constexpr QFile::Permissions owner_only =
      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;

  QString temporary() const { return path("tmp"); }
  QStringList left() const {
    return QDir(temporary()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden);
  }
  Run filter(const QStringList& environment) {
    QFile::remove(path("out.png"));
    return run({"gaussian", "in.ppm", "out.png", "--sigma", "3"},
               QStringList{"TMPDIR=" + temporary(), "XDG_RUNTIME_DIR="} + environment);
  }

 private Q_SLOTS:
  void init() {
    qputenv("SFUMATO_BUILT_IN", "0");  // OpenCL's devices keep compiled kernels
    QVERIFY(folder_.isValid());
    QDir(temporary()).removeRecursively();
    QVERIFY(QDir().mkpath(temporary()));
    write_ppm("in.ppm", 60, 40);
    write("a file", "");
  }

  void without_a_cache_a_temporary_one_is_used_data() {
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<QString>("words");
    QTest::newRow("no HOME") << QStringList{"XDG_CACHE_HOME=", "HOME="} << "HOME is not set";
    QTest::newRow("HOME is relative") << QStringList{"XDG_CACHE_HOME=", "HOME=rel/home"}
                                      << "HOME is not an absolute path: rel/home";
    QTest::newRow("HOME is missing")
        << QStringList{"XDG_CACHE_HOME=", "HOME=" + path("gone")} << "there is no folder";
    QTest::newRow("HOME is a file")
        << QStringList{"XDG_CACHE_HOME=", "HOME=" + path("a file")} << "cannot be written to (";
    QTest::newRow("HOME is read-only")
        << QStringList{"XDG_CACHE_HOME=", "HOME=/proc"} << "cannot be written to (";
    QTest::newRow("XDG_CACHE_HOME is a device")
        << QStringList{"XDG_CACHE_HOME=/dev/null"} << "cannot be written to (";
    QTest::newRow("PoCL's own") << QStringList{"POCL_CACHE_DIR=/proc/pocl"} << "set POCL_CACHE_DIR";
  }

  void without_a_cache_a_temporary_one_is_used() {
    QFETCH(const QStringList, environment);
    QFETCH(const QString, words);
    const QString device = run({"devices"}).out.section('\n', 0, 0);
    const QStringList all = QStringList{"TMPDIR=" + temporary(), "XDG_RUNTIME_DIR="} + environment;
    const Run r = run({"devices"}, all);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY2(one_line(r.err) && r.err.contains(temporary()) && r.err.contains(words),
             qPrintable(r.err));
    // No device that is normally there is missing.
    QCOMPARE(r.out.section('\n', 0, 0), device);
    QCOMPARE(left(), QStringList());
    QVERIFY(!QFile::exists(path("gone")) && !QFile::exists(path("rel")));
  }

  void the_built_in_device_needs_none_data() { without_a_cache_a_temporary_one_is_used_data(); }
  void the_built_in_device_needs_none() {
    QFETCH(const QStringList, environment);
    qunsetenv("SFUMATO_BUILT_IN");
    if (!run({"devices"}).out.contains("built in")) SKIP_WITHOUT("the built-in device");
    const Run r = filter(QStringList{"SFUMATO_DEVICE=cpu"} + environment);
    QVERIFY2(r.status == 0 && r.err.isEmpty(), qPrintable(r.err));
    QVERIFY(QFile::exists(path("out.png")));
    QCOMPARE(left(), QStringList());
  }

  // Drivers end the program if their compiled kernels do not fit.
  void a_disk_of_little_room_holds_no_cache() {
    const QString small = path("small");
    QVERIFY(QDir().mkpath(small));
    const QByteArray disk = small.toLocal8Bit();
    if (::mount("none", disk.constData(), "tmpfs", 0, "size=3m") != 0) {
      QSKIP("file systems may not be mounted here");
    }
    const auto unmount = qScopeGuard([&] { ::umount(disk.constData()); });
    for (const QStringList& environment : {QStringList{"XDG_CACHE_HOME=" + small},
                                           QStringList{"XDG_CACHE_HOME=", "HOME=" + small}}) {
      for (const char* filter : {"gaussian", "median", "canny"}) {
        QFile::remove(path("out.png"));
        const Run r = run({filter, "in.ppm", "out.png"},
                          QStringList{"TMPDIR=" + temporary(), "XDG_RUNTIME_DIR="} + environment);
        QVERIFY2(r.status == 0 && one_line(r.err) && r.err.contains("is nearly full"),
                 qPrintable(r.err));
        QVERIFY(QFile::exists(path("out.png")));
      }
    }
    QCOMPARE(left(), QStringList());
  }

  void a_picture_is_filtered_with_a_temporary_cache() {
    const Run r = filter({"XDG_CACHE_HOME=", "HOME="});
    QVERIFY2(r.status == 0 && one_line(r.err), qPrintable(r.err));
    QVERIFY(QFile::exists(path("out.png")));
    QCOMPARE(left(), QStringList());
  }

  void the_session_s_folder_is_used_first() {
    const QString session = path("session ä");
    QVERIFY(QDir().mkpath(session) && QFile::setPermissions(session, owner_only));
    const QStringList environment{"XDG_CACHE_HOME=", "HOME=", "XDG_RUNTIME_DIR=" + session};
    const Run r = filter(environment);
    QVERIFY2(r.status == 0 && one_line(r.err) && r.err.contains(session), qPrintable(r.err));
    QVERIFY(QDir(session + "/sfumato").exists());
    QCOMPARE(left(), QStringList());
  }

  // As created by pam_systemd; others might put kernels of their own into any other folder.
  void a_session_s_folder_that_others_reach_is_not_used_data() {
    QTest::addColumn<QString>("folder");
    for (const char* folder : {"open", "open within", "link", "link within", "foreign"}) {
      QTest::newRow(folder) << folder;
    }
  }

  void a_session_s_folder_that_others_reach_is_not_used() {
    QFETCH(const QString, folder);
    const QString session = path(folder), elsewhere = path("elsewhere");
    QVERIFY(QDir().mkpath(elsewhere) && QFile::setPermissions(elsewhere, owner_only));
    if (folder == "link") {
      QVERIFY(QFile::link(elsewhere, session));
    } else {
      QVERIFY(QDir().mkpath(session) && QFile::setPermissions(session, owner_only));
    }
    if (folder == "open") QVERIFY(QFile::setPermissions(session, owner_only | QFile::ReadGroup));
    if (folder == "open within") {
      QVERIFY(QDir().mkpath(session + "/sfumato"));
      QVERIFY(QFile::setPermissions(session + "/sfumato", owner_only | QFile::ExeOther));
    }
    if (folder == "link within") QVERIFY(QFile::link(elsewhere, session + "/sfumato"));
    if (folder == "foreign" && ::chown(session.toLocal8Bit().constData(), 65534, 65534) != 0) {
      QSKIP("only root gives folders away");
    }
    const Run r = filter({"XDG_CACHE_HOME=", "HOME=", "XDG_RUNTIME_DIR=" + session});
    QVERIFY2(r.status == 0 && one_line(r.err) && r.err.contains(temporary()), qPrintable(r.err));
    QVERIFY(QDir(elsewhere).isEmpty());
    QCOMPARE(left(), QStringList());
  }

  void a_relative_cache_is_not_made_where_one_works() {
    const QString home = path("home of rel");
    QVERIFY(QDir().mkpath(home));
    const Run r = filter({"XDG_CACHE_HOME=rel", "HOME=" + home});
    QVERIFY2(r.status == 0 && r.err.isEmpty(), qPrintable(r.err));
    QVERIFY(!QFile::exists(path("rel")));
  }

  void what_a_killed_program_left_goes() {
    const QString mine = temporary() + "/sfumato-cache-killed", other = temporary() + "/other";
    QVERIFY(QDir().mkpath(mine + "/pocl/kernels") && QDir().mkpath(other));
    const utimbuf old{1, 1};
    QCOMPARE(::utime(mine.toLocal8Bit().constData(), &old), 0);
    QVERIFY(filter({"XDG_CACHE_HOME=", "HOME="}).status == 0);
    QCOMPARE(left(), QStringList{"other"});
  }

  void without_any_folder_one_sentence_says_so() {
    // In our own namespaces, /tmp, /var/tmp and /dev/shm are not writable.
    const QString script =
        "for f in /tmp /var/tmp /dev/shm; do mount --bind $f $f && "
        "mount -o remount,bind,ro,nosuid,nodev $f || exit 77; done; exec \"$@\"";
    QProcess process;
    QTemporaryDir here(QDir::homePath() + "/sfumato-XXXXXX");  // not read-only there
    if (!here.isValid()) QSKIP("HOME cannot be written to");
    QVERIFY(QFile::copy(path("in.ppm"), here.filePath("in.ppm")));
    process.setProcessEnvironment(
        environment({"XDG_CACHE_HOME=/proc/x", "XDG_RUNTIME_DIR=/proc/x", "TMPDIR=/proc/x"}));
    process.setWorkingDirectory(here.path());
    process.start("unshare", {"-rm", "sh", "-c", script, "sh", program_, "gaussian", "in.ppm",
                              "out.png", "--sigma", "3"});
    if (!process.waitForStarted()) SKIP_WITHOUT("unshare");
    QVERIFY(process.waitForFinished(600000));
    const QString err = QString::fromUtf8(process.readAllStandardError());
    if (process.exitCode() == 77 || err.startsWith("unshare")) QSKIP("no namespaces may be made");
    QVERIFY2(process.exitCode() == 0, qPrintable(err));
    QVERIFY2(one_line(err) && err.contains("there is no folder for compiled kernels"),
             qPrintable(err));
    QVERIFY(QFile::exists(here.filePath("out.png")));
  }

  void any_name_works_in_any_locale_data() {
    QTest::addColumn<QStringList>("locale");
    QTest::newRow("C") << QStringList{"LC_ALL=C"};
    QTest::newRow("POSIX") << QStringList{"LC_ALL=POSIX"};
    QTest::newRow("none") << QStringList{"LC_ALL=", "LANG=", "LC_CTYPE="};
    QTest::newRow("unknown") << QStringList{"LC_ALL=xx_YY.UTF-9"};
  }

  void any_name_works_in_any_locale() {
    QFETCH(QStringList, locale);
    const QString home = path("Jörg Ä 日本 '\"x"), pictures = home + "/Bilder für 日本";
    QVERIFY(QDir().mkpath(pictures));
    locale << "HOME=" + home << "XDG_DATA_HOME="
           << "XDG_CACHE_HOME=";
    const QString in = pictures + "/Bild ä.ppm", out = pictures + "/aus ö.png";
    QVERIFY(QFile::exists(in) || QFile::copy(path("in.ppm"), in));
    const auto works = [&](const QStringList& words) {
      const Run r = run(words, locale);
      QVERIFY2(r.status == 0 && r.err.isEmpty(), qPrintable(words.join(' ') + ": " + r.err));
    };
    // Once in the home's own cache, so that the other commands need not compile for each locale.
    works({"gaussian", in, out, "--sigma", "2"});
    const bool device = run({"devices"}, locale).out.startsWith("0 ");
    QCOMPARE(QFile::exists(home + "/.cache/sfumato/devices"), device);
    locale.last() = "XDG_CACHE_HOME=" + path("cache ä 日本");
    works({"joint-bilateral", in, out, "--guide", in, "--overwrite"});
    const Run recipe = run({"recipe", "joint-bilateral", "--guide", in}, locale);
    QCOMPARE(recipe.status, 0);
    QVERIFY2(recipe.out.contains("Bild ä.ppm"), qPrintable(recipe.out));
    QFile file(home + "/Rezept ß.json");
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(recipe.out.toUtf8()) > 0);
    file.close();
    works({"apply", file.fileName(), in, out, "--overwrite"});
    const QString folder = home + "/Ausgabe 日本";
    works({"batch", "grayscale", "-o", folder, pictures, "--quiet", "--existing", "overwrite",
           "--name", "{stem} ü.{ext}"});
    QVERIFY(QFile::exists(folder + "/Bild ä ü.ppm"));
    works({"devices"});
    works(
        {"compare", "gaussian", in, home + "/Vergleich ä.png", "--methods", "auto", "--overwrite"});
    // A refusal names the file exactly.
    const Run missing = run({"grayscale", home + "/fehlt 日本.png", out}, locale);
    QVERIFY2(missing.status == 1 && missing.err.contains("fehlt 日本.png"),
             qPrintable(missing.err));
    QVERIFY(QDir(home).removeRecursively());
  }
};

QTEST_GUILESS_MAIN(TestFolders)
#include "test_folders.moc"
