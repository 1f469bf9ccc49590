// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The programs' versions, and the origin of the commit in them.
#include <QRegularExpression>
#include <QStandardPaths>

#include "program.hpp"
#include "support/skips.hpp"

class TestVersion : public CliTest {
  Q_OBJECT

 private:
  QStringList version_of(const QString& program, const QStringList& environment = {}) {
    program_ = program;
    const Run r = run({"--version"}, environment);
    program_ = SFUMATO_PROGRAM;
    if (r.status != 0 || !r.err.isEmpty()) return {"failed: " + r.err};
    return r.out.split('\n', Qt::SkipEmptyParts);
  }

  // The file that the build writes, from a folder of sources.
  QByteArray written(const QString& source, const QString& commit, const QString& git) {
    QProcess cmake;
    settle(cmake);
    cmake.start(SFUMATO_CMAKE, {"-DSOURCE=" + source, "-DCOMMIT=" + commit, "-DGIT=" + git,
                                "-DLIBRARIES=Library 1.2", "-DOUTPUT=" + path("info.cpp"), "-P",
                                SFUMATO_SOURCE "/packaging/cmake/BuildInfo.cmake"});
    if (!cmake.waitForFinished(60000) || cmake.exitCode() != 0) return cmake.readAllStandardError();
    return read("info.cpp");
  }

  void check(const QStringList& lines, const QString& program) {
    QVERIFY2(lines.size() == 4, qPrintable(lines.join('\n')));
    QCOMPARE(lines[0], program + " " SFUMATO_RELEASE);
    const QRegularExpression commit("^Commit: ([0-9a-f]{7,40}|unknown \\(.*\\))$");
    QVERIFY2(commit.match(lines[1]).hasMatch(), qPrintable(lines[1]));
    QVERIFY2(lines[2].startsWith("Libraries: nlohmann-json 3.") && lines[2].contains("VkFFT 1."),
             qPrintable(lines[2]));
    QVERIFY2(lines[3].contains("libOpenCL"), qPrintable(lines[3]));
    QCOMPARE(lines[1], version_of(SFUMATO_PROGRAM)[1]);  // all have the same commit
  }

 private slots:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void the_program_says_what_it_is() {
    const QStringList lines = version_of(SFUMATO_PROGRAM);
    check(lines, "sfumato");
    QVERIFY2(lines[2].contains("OpenImageIO 2.") && lines[2].contains("LittleCMS 2."),
             qPrintable(lines[2]));
    QCOMPARE(run({"version"}).out.split('\n', Qt::SkipEmptyParts), lines);
  }

  // Neither a driver nor the file module is loaded: a folder in place of a driver's library would
  // be reported.
  void nothing_is_loaded_for_it() {
    QProcess traced;
    settle(traced, {"LD_DEBUG=files"});
    traced.start(SFUMATO_PROGRAM, {"--version"});
    QVERIFY(traced.waitForFinished(60000));
    const QByteArray loaded = traced.readAllStandardError();
    QVERIFY(loaded.contains("libOpenCL"));
    for (const char* name : {"libpocl", "OpenImageIO", "sfumato-io"}) {
      QVERIFY2(!loaded.contains(name), name);
    }
  }

#ifdef SFUMATO_WORKER_PROGRAM
  void the_worker_says_it_too() {
    check(version_of(SFUMATO_WORKER_PROGRAM), "sfumato-worker");
  }
#endif

#ifdef SFUMATO_DIALOG_PROGRAM
  void the_dialog_says_it_too() {
    const QStringList lines =
        version_of(SFUMATO_DIALOG_PROGRAM, {"DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM="});
    check(lines, "sfumato-dialog");
    QVERIFY2(lines[2].contains("Qt 6."), qPrintable(lines[2]));
  }
#endif

#ifdef SFUMATO_EDITOR
  // On a machine without a screen.
  void the_editor_says_it_too() {
    const QStringList nowhere{"DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM="};
    const QStringList lines = version_of(SFUMATO_EDITOR, nowhere);
    check(lines, "sfumato-editor");
    QVERIFY2(lines[2].contains("Qt 6."), qPrintable(lines[2]));
    program_ = SFUMATO_EDITOR;
    const Run help = run({"--help"}, nowhere);
    program_ = SFUMATO_PROGRAM;
    QCOMPARE(help.status, 0);
    QVERIFY2(help.out.contains("--recipe") && help.out.contains("--new-instance"),
             qPrintable(help.out + help.err));
  }
#endif

  void the_commit_is_found() {
    QVERIFY(QDir(folder_.path()).mkpath("tree/packaging"));
    const QString tree = path("tree");
    // In a checkout, the file contains no commit.
    write("tree/packaging/commit.txt", "$Format:%H$\n");
    QVERIFY(written(tree, "", "").contains("return {\"\", \"Library 1.2\"};"));
    // In an archive it does, unless the builder names another one.
    write("tree/packaging/commit.txt", "0123456789abcdef\n");
    QVERIFY(written(tree, "", "").contains("return {\"0123456789abcdef\", "));
    QVERIFY(written(tree, "fedcba9", "").contains("return {\"fedcba9\", "));
    // In a checkout, git is asked.
    const QString git = QStandardPaths::findExecutable("git");
    if (git.isEmpty()) SKIP_WITHOUT("git");
    const auto run_git = [&](const QStringList& arguments) {
      QProcess process;
      settle(process);
      process.start(
          git, QStringList{"-C", tree, "-c", "user.name=A", "-c", "user.email=a@b"} + arguments);
      process.waitForFinished(60000);
      return process.readAllStandardOutput().trimmed();
    };
    run_git({"init", "-q"});
    run_git({"commit", "-q", "--allow-empty", "-m", "first"});
    const QByteArray head = run_git({"rev-parse", "HEAD"});
    QCOMPARE(head.size(), 40);
    QVERIFY(written(tree, "", git).contains("return {\"" + head + "\", "));
  }
};

QTEST_GUILESS_MAIN(TestVersion)
#include "test_version.moc"
