// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The manual: complete, valid, reproducible, with working examples.
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QRegularExpression>
#include <QRegularExpressionMatch>

#include "program.hpp"
#include "support/skips.hpp"

class TestManual : public CliTest {
  Q_OBJECT

 private:
  QJsonArray filters_;
  QStringList commands_;

  // Writes all pages as the build does; returns CMake's errors.
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

  // A formatter's warnings about a page; empty if there are none.
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
  // Pages that only redirect from a filter's name with underscores.
  static bool is_link(const QString& page) {
    return page.contains('_');
  }
  // The pages named in a page's SEE ALSO.
  QStringList related(const QString& page) const {
    const QString text = QString::fromUtf8(read("man/" + page)).section("\n.SH SEE ALSO\n", 1);
    QStringList all;
    QRegularExpression reference("\\.BR (\\S+) \\(([15])\\)");
    for (auto it = reference.globalMatch(text); it.hasNext();) {
      const QRegularExpressionMatch match = it.next();
      all << match.captured(1).remove('\\') + "." + match.captured(2);
    }
    return all;
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
    QVERIFY(pages("man").size() > filters_.size());
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

  // Formulas hold for the defaults; both the formula and the parameter explain the meaning of 0.
  void a_radius_of_0_is_explained() {
    int explained = 0;
    for (const QJsonValue& value : filters_) {
      const QJsonObject filter = value.toObject();
      for (const QJsonValue& p : filter["parameters"].toArray()) {
        const QJsonObject parameter = p.toObject();
        if (parameter["name"] != "radius" || parameter["default"] != 0) continue;
        ++explained;
        const QString id = filter["id"].toString();
        QVERIFY2(parameter["help"].toString().contains("0 "), qPrintable(id));
        const QByteArray formula = read("man/" + page_of(id)).split('\n').join(' ');
        const qsizetype from = formula.indexOf(".SH FORMULA");
        const QByteArray text = formula.mid(from, formula.indexOf(".SH PARAMETERS") - from);
        const bool by_sigma =
            text.contains("r = radius") && text.contains("4 sigma") != text.contains("3 sigma");
        QVERIFY2(by_sigma || text.contains("radius 0:"), qPrintable(id + ": " + text));
      }
    }
    QVERIFY(explained >= 5);
  }

  void pages_name_those_that_belong_to_them() {
    const QStringList all = pages("man");
    for (const QString& page : all) {
      if (is_link(page)) continue;
      const QStringList named = related(page);
      QVERIFY2(named.size() >= 3, qPrintable(page));
      for (const QString& other : named) {
#ifndef SFUMATO_EDITOR
        if (other == "sfumato-editor.1") continue;
#endif
        const QString file = "man" + other.right(1) + "/" + other;
        QVERIFY2(all.contains(file) && file != page, qPrintable(page + ": " + other));
      }
      QCOMPARE(named.count("sfumato-recipe.5"), page == "man5/sfumato-recipe.5" ? 0 : 1);
    }
    for (const QJsonValue& one : filters_) {
      for (const QJsonValue& other : filters_) {
        const QString from = one.toObject()["id"].toString(),
                      to = other.toObject()["id"].toString();
        if (from == to || one.toObject()["category"] != other.toObject()["category"]) continue;
        QVERIFY2(related(page_of(from)).contains(page_of(to).mid(5)), qPrintable(from + ", " + to));
      }
    }
    QVERIFY(related(page_of("batch")).contains("sfumato-apply.1"));
    QVERIFY(related(page_of("apply")).contains("sfumato-batch.1"));
  }

  void filters_are_found_by_their_names_too() {
    int links = 0;
    for (const QJsonValue& f : filters_) {
      const QString id = f.toObject()["id"].toString();
      if (!id.contains('_')) continue;
      ++links;
      QCOMPARE(read("man/man1/sfumato-" + id + ".1"), ".so " + page_of(id).toUtf8() + "\n");
      if (*SFUMATO_MAN == '\0') continue;
      QProcess man;
      settle(man, {"LC_ALL=C.UTF-8", "MANPATH=" + path("man")});
      man.start(SFUMATO_MAN, {"sfumato-" + id});
      QVERIFY(man.waitForFinished(60000));
      const QByteArray text = man.readAllStandardOutput();
      QVERIFY2(text.contains("sfumato " + id.toUtf8() + " INPUT"), text.constData());
    }
    QVERIFY(links >= 5);
  }

  void the_programs_page_tells_the_environment_and_files() {
    const QByteArray page = read("man/man1/sfumato.1");
    for (const char* name : {"SFUMATO_DEVICE", "OCL_ICD_VENDORS", "POCL_CACHE_DIR",
                             "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR"}) {
      QVERIFY2(page.contains(term(name)), name);
    }
    for (const char* file : {"drivers", "tuning.json", "presets"}) {
      QVERIFY2(page.contains("/" + QByteArray(file) + "\\fR\n"), file);
    }
  }

  void short_options_stand_beside_long_ones() {
    QVERIFY(read("man/man1/sfumato-batch.1")
                .contains("\n\\fB\\-o\\fR \\fIDIR\\fR, \\fB\\-\\-output\\fR \\fIDIR\\fR\n"));
    QVERIFY(read("man/man1/sfumato-batch.1").contains("short for \\-\\-existing overwrite"));
  }

  // The options known to completion are on the page.
  void pages_of_commands_tell_all() {
    int options = 0;
    for (const QString& command : commands_) {
      const QByteArray page = read("man/" + page_of(command));
      const QStringList offered =
          run({"--complete", command, "x", "-"}).out.split('\n', Qt::SkipEmptyParts);
      for (const QString& option : offered) {
        QVERIFY2(page.contains(term(option)), qPrintable(command + ": " + option));
        ++options;
      }
    }
    QVERIFY(options > 40);
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
    if (man.isEmpty() && mandoc.isEmpty()) SKIP_WITHOUT("man and mandoc");
    for (const QString& page : pages("man")) {
      if (is_link(page)) continue;
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

  // Packages are built twice and compared, so no page may depend on the time.
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
      if (is_link(page)) continue;
      QByteArray text = read("man/" + page);
      QVERIFY2(text.contains(" " + day + " \"Sfumato " SFUMATO_RELEASE "\""), qPrintable(page));
      QCOMPARE(read("later/" + page), text.replace(day, "1970-01-02"));
    }
  }

  // As copied from the page by a reader.
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
    for (const char* role : {"normal.exr", "depth.exr", "imaginary.exr"}) {
      QVERIFY(QFile::copy(path("render.exr"), path(role)));
    }
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
