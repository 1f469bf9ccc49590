// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The manual: complete, free of faults, the same whenever it is written, its examples right.
#include <QJsonArray>
#include <QJsonObject>

#include "program.hpp"

class TestManual : public CliTest {
  Q_OBJECT

 private:
  QJsonArray filters_;
  QStringList commands_;

  // Writes all pages as the build does; what CMake complained of.
  QString written(const QString& folder, const QStringList& more_environment = {},
                  const QString& source = SFUMATO_SOURCE) {
    QProcess cmake;
    settle(cmake, more_environment);
#ifdef SFUMATO_EDITOR
    const QString editor = "1";
#else
    const QString editor = "0";
#endif
    cmake.start(SFUMATO_CMAKE,
                {"-DPROGRAM=" + program_, "-DSOURCE=" + source, "-DVERSION=" SFUMATO_RELEASE,
                 "-DOUTPUT=" + path(folder), "-DEDITOR=" + editor, "-P",
                 SFUMATO_SOURCE "/packaging/cmake/Manual.cmake"});
    if (!cmake.waitForFinished(300000) || cmake.exitCode() != 0) {
      return "failed: " + cmake.readAllStandardError();
    }
    return cmake.readAllStandardError();
  }

  QStringList pages(const QString& folder) const {
    QStringList all;
    QDirIterator it(path(folder), QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) all << QDir(path(folder)).relativeFilePath(it.next());
    all.sort();
    return all;
  }

  // What a formatter says of a page; nothing where all is well.
  QString complaints(const QString& program, const QStringList& arguments) {
    QProcess process;
    settle(process, {"LC_ALL=C.UTF-8", "MANROFFSEQ="});
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(program, arguments);
    if (!process.waitForFinished(60000)) return "did not finish";
    return process.readAllStandardError() +
           (process.exitCode() == 0 ? "" : " status " + QString::number(process.exitCode()));
  }

  static QString page_of(const QString& id) {
    return "man1/sfumato-" + QString(id).replace('_', '-') + ".1";
  }
  // As a term in a page.
  static QByteArray term(const QString& word) {
    return "\\fB" + QString(word).replace('-', "\\-").toUtf8() + "\\fR";
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    filters_ = QJsonDocument::fromJson(run({"filters", "--json"}).out.toUtf8())
                   .object()["filters"]
                   .toArray();
    QVERIFY(filters_.size() > 20);
    for (const QString& line : run({"--complete-described", ""}).out.split('\n')) {
      const QString word = line.section('\t', 0, 0);
      const bool is_filter =
          std::any_of(filters_.begin(), filters_.end(),
                      [&](const QJsonValue& f) { return f.toObject()["id"] == word; });
      if (!word.isEmpty() && !word.startsWith('-') && !is_filter) commands_ << word;
    }
    QVERIFY(commands_.contains("batch") && commands_.contains("tune"));
    QCOMPARE(written("man"), "");
  }

  void every_filter_and_command_has_a_page() {
    const QStringList all = pages("man");
    for (const QJsonValue& f : filters_) {
      const QString page = page_of(f.toObject()["id"].toString());
      QVERIFY2(all.contains(page), qPrintable(page));
    }
    const QByteArray main = read("man/man1/sfumato.1");
    for (const QString& command : commands_) {
      QVERIFY2(all.contains(page_of(command)), qPrintable(command));
      QVERIFY2(main.contains(term("sfumato " + command)), qPrintable(command));
    }
    QVERIFY(all.contains("man5/sfumato-recipe.5"));
#ifdef SFUMATO_EDITOR
    QVERIFY(all.contains("man1/sfumato-editor.1"));
#endif
  }

  void pages_of_filters_tell_all() {
    for (const QJsonValue& value : filters_) {
      const QJsonObject filter = value.toObject();
      const QByteArray page = read("man/" + page_of(filter["id"].toString()));
      const auto has = [&](const QByteArray& what) {
        QVERIFY2(page.contains(what), qPrintable(filter["id"].toString() + ": " + what));
      };
      for (const char* section :
           {"NAME", "SYNOPSIS", "DESCRIPTION", "FORMULA", "PARAMETERS", "OPTIONS", "PREVIEW",
            "LIGHT AND BORDER", "EXAMPLE", "SOURCE", "SEE ALSO"}) {
        has("\n.SH " + QByteArray(section) + "\n");
      }
      for (const QJsonValue& p : filter["parameters"].toArray()) {
        const QString name = p.toObject()["name"].toString();
        has(term("--" + QString(name).replace('_', '-')));
        for (const QJsonValue& c : p.toObject()["choices"].toArray()) {
          has(term(c.toObject()["id"].toString()));
        }
      }
      has(term("--device"));
    }
  }

  // The options that completion knows are on the page.
  void pages_of_commands_tell_all() {
    for (const QString& command : commands_) {
      const QByteArray page = read("man/" + page_of(command));
      const QStringList offered =
          run({"--complete", command, "x", "-"}).out.split('\n', Qt::SkipEmptyParts);
      for (const QString& option : offered) {
        QVERIFY2(page.contains(term(option)), qPrintable(command + ": " + option));
      }
    }
    QVERIFY(read("man/man1/sfumato-batch.1").contains(term("--resume")));
    QVERIFY(read("man/man1/sfumato-tune.1").contains(term("--reset")));
  }

#ifdef SFUMATO_EDITOR
  void the_editors_page_tells_its_options() {
    program_ = SFUMATO_EDITOR;
    const Run options = run({"--complete", "--"});
    program_ = SFUMATO_PROGRAM;
    const QByteArray page = read("man/man1/sfumato-editor.1");
    const QStringList words = options.out.split('\n', Qt::SkipEmptyParts);
    QVERIFY(words.contains("--recipe"));
    for (QString option : words) {
      QVERIFY2(page.contains(option.replace('-', "\\-").toUtf8()), qPrintable(option));
    }
  }
#endif

  void man_and_mandoc_have_no_complaints() {
    const QString man = SFUMATO_MAN, mandoc = SFUMATO_MANDOC;
    if (man.isEmpty() && mandoc.isEmpty()) QSKIP("neither man nor mandoc is installed");
    for (const QString& page : pages("man")) {
      const QString file = path("man/" + page);
      if (!man.isEmpty()) {
        const QString said =
            complaints(man, {"--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file});
        QVERIFY2(said.isEmpty(), qPrintable(page + ": " + said));
      }
      if (!mandoc.isEmpty()) {
        QProcess lint;
        lint.start(mandoc, {"-T", "lint", "-W", "warning", file});
        QVERIFY(lint.waitForFinished(60000));
        const QByteArray said = lint.readAllStandardOutput() + lint.readAllStandardError();
        QVERIFY2(said.isEmpty() && lint.exitCode() == 0, said.constData());
      }
    }
  }

  // Packages are built twice and compared: no page knows what time it is.
  void pages_are_dated_by_the_source() {
    write("CHANGELOG.md",
          "# Changes\n\n## [Unreleased]\n\n## [2.1.0] - 2001-02-03\n\n"
          "## [2.0.0] - 1999-12-31\n");
    QCOMPARE(written("dated", {}, folder_.path()), "");
    QVERIFY(read("dated/man1/sfumato.1").contains(" 2001-02-03 \"Sfumato "));
    const QRegularExpression date("\n\\.TH [A-Z-]+ [15] ([0-9-]{10}) ");
    const QByteArray day = date.match(read("man/man1/sfumato.1")).captured(1).toUtf8();
    QVERIFY(!day.isEmpty());
    QCOMPARE(written("later", {"SOURCE_DATE_EPOCH=86400"}), "");
    QCOMPARE(pages("later"), pages("man"));
    for (const QString& page : pages("man")) {
      QByteArray text = read("man/" + page);
      QVERIFY2(text.contains(" " + day + " \"Sfumato " SFUMATO_RELEASE "\""), qPrintable(page));
      QCOMPARE(read("later/" + page), text.replace(day, "1970-01-02"));
    }
  }

  // As someone would who copies them from the page.
  void examples_of_filters_work() {
    write_ppm("small.ppm", 24, 16);
    QProcess scene;
    settle(scene);
    scene.start(SFUMATO_SCENE, {"render.exr", "24", "16"});
    QVERIFY(scene.waitForFinished(60000));
    const QStringList env{"SFUMATO_DEVICE=reference", "PATH=" + QFileInfo(program_).path() + ":" +
                                                          qEnvironmentVariable("PATH")};
    for (const char* name : {"photo.jpg", "guide.png", "kernel.png"}) {
      QCOMPARE(run({"sharpen", "small.ppm", name}, env).status, 0);
    }
    QVERIFY(QFile::copy(path("render.exr"), path("normal.exr")));
    QVERIFY(QFile::copy(path("render.exr"), path("depth.exr")));
    for (const QJsonValue& value : filters_) {
      const QString id = value.toObject()["id"].toString();
      const QString help = run({"help", id}).out;
      const QString example = help.section("\nExample:\n", 1).section('\n', 0, 0).trimmed();
      QVERIFY2(example.startsWith("sfumato " + id + " photo.jpg result.png"), qPrintable(help));
      QProcess shell;
      settle(shell, env);
      shell.start("sh", {"-c", example});
      QVERIFY(shell.waitForFinished(120000));
      const QByteArray said = shell.readAllStandardError();
      QVERIFY2(shell.exitCode() == 0, qPrintable(example + ": " + said));
      // Every value has an effect.
      QVERIFY2(!said.contains("no effect") && !said.contains("unchanged"), said.constData());
      QVERIFY(!read("result.png").isEmpty());
      remove({"result.png"});
    }
  }

  void the_recipe_page_holds_a_recipe() {
    QByteArray page = read("man/man5/sfumato-recipe.5");
    for (const char* role : {"mask", "normal", "depth", "guide", "kernel"}) {
      QVERIFY2(page.contains(role), role);
    }
    for (const QJsonValue& f : filters_) {
      const QString version =
          f.toObject()["id"].toString() + " " + QString::number(f.toObject()["version"].toInt());
      QVERIFY2(page.contains(version.toUtf8()), qPrintable(version));
    }
    const qsizetype from = page.indexOf("{\n", page.indexOf(".SH EXAMPLE"));
    const qsizetype to = page.indexOf("\n.fi", from);
    QVERIFY(from > 0 && to > from);
    write("example.json", page.mid(from, to - from).replace("\\-", "-"));
    write_ppm("small.ppm", 24, 16);
    const Run r =
        run({"apply", "example.json", "small.ppm", "applied.png"}, {"SFUMATO_DEVICE=reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
  }

  void wrong_asks_are_refused() {
    refused({"--manual"}, 2, {"--list"});
    refused({"--manual", "sfumato.1", "today"}, 2, {"2026-11-25"});
    refused({"--manual", "sfumato-nothing.1", "2026-11-25"}, 2, {"no manual page"});
  }
};

QTEST_GUILESS_MAIN(TestManual)
#include "test_manual.moc"
