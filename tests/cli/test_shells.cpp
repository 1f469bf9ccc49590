// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Completion: what the programs offer, and how bash, zsh and fish use it.
#include <QFileInfo>
#include <QRegularExpression>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.hpp"
#include "support/skips.hpp"

class TestShells : public CliTest {
  Q_OBJECT

 private:
  // Puts the programs of this build first.
  QStringList found_first() const {
    return {"PATH=" + QFileInfo(program_).path() + ":" + qEnvironmentVariable("PATH"),
            "HOME=" + folder_.path(), "LC_ALL=C.UTF-8"};
  }

  QStringList lines_of(const QString& program, const QStringList& arguments) {
    QProcess process;
    settle(process, found_first());
    process.start(program, arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != 0) {
      return {program + " failed: " + process.readAllStandardError()};
    }
    return QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
  }

  // The lines printed by a command in a bash with the completion script.
  QStringList in_bash(const QString& command, const QStringList& arguments) {
    return lines_of("bash", QStringList{"--norc", "-c", "source \"$0\"; " + command,
                                        SFUMATO_COMPLETION "/bash/sfumato"} +
                                arguments);
  }

  // Bash's offers for the last of the words, or for the one that ends in '|'.
  QStringList bash_offers(QStringList words) {
    qsizetype at = words.size() - 1;
    for (qsizetype i = 0; i < words.size(); ++i) {
      if (words[i].endsWith('|')) {
        words[i].chop(1);
        at = i;
      }
    }
    return in_bash(
        "COMP_CWORD=$1; shift; COMP_WORDS=(\"$@\"); COMP_LINE=\"$*\"; "
        "before=\"${*:1:COMP_CWORD+1}\"; COMP_POINT=${#before}; "
        "function=$(complete -p sfumato | sed 's/.*-F \\([^ ]*\\).*/\\1/'); "
        "\"$function\" sfumato \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; "
        "[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"",
        QStringList{QString::number(at)} + words);
  }

  // The first parts of "word<tab>meaning".
  static QStringList words_of(const QStringList& lines) {
    QStringList words;
    for (const QString& line : lines) {
      words << line.section('\t', 0, 0).remove(QRegularExpression("/$"));
    }
    return words;
  }

  QStringList zsh_offers(const QString& line) {
    return lines_of(SFUMATO_ZSH, {"-f", SFUMATO_OFFERS_ZSH, SFUMATO_COMPLETION "/zsh", line});
  }
  QStringList fish_offers(const QString& line) {
    return lines_of(
        SFUMATO_FISH,
        {"--no-config", "-c",
         "source " SFUMATO_COMPLETION "/fish/sfumato.fish; complete -C $argv[1]", "--", line});
  }

  static void compare(const QString& shell, const QStringList& replies, const QStringList& offered,
                      const QStringList& not_offered) {
    for (const QString& word : offered) {
      QVERIFY2(replies.contains(word),
               qPrintable(shell + ": " + word + " is not in " + replies.join(' ')));
    }
    for (const QString& word : not_offered) {
      QVERIFY2(!replies.contains(word),
               qPrintable(shell + ": " + word + " is in " + replies.join(' ')));
    }
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    for (const char* name : {"sepia_mine.json", "sepia.PPM", "in.ppm", "notes.txt", "clip.mp4"}) {
      write(name, "");
    }
    QVERIFY(QDir(folder_.path()).mkpath("sepia_folder"));
    QVERIFY(QDir(folder_.path()).mkpath("odd/sub dir"));
    for (const char* name : {"odd/my file.png", "odd/a$b.png", "odd/with'q.png",
                             "odd/sub dir/pic.png", "odd/plain.png", "odd/notes", "-dash.png"}) {
      write(name, "");
    }
    write("cyan.png", "");
  }

  void programs_offer_words() {
    QVERIFY(run({"--complete", "gau"}).out.split('\n').contains("gaussian"));
    QVERIFY(run({"--complete", "gaussian", "in.ppm", "o.png", "--sig"})
                .out.split('\n')
                .contains("--sigma"));
    const QString methods = run({"--complete", "gaussian", "a", "b", "--method", ""}).out;
    QVERIFY(methods.split('\n').contains("multirate"));
    QVERIFY(run({"--complete", "help", ""}).out.split('\n').contains("bilateral"));
    QCOMPARE(run({"--complete", "gaussian", ""}).out, "");  // files are left to the shell
  }

  void programs_describe_what_they_offer() {
    const auto described = [&](const QStringList& words) {
      return run(QStringList{"--complete-described"} + words).out.split('\n', Qt::SkipEmptyParts);
    };
    QVERIFY(described({"gaus"})[0].startsWith("gaussian\tBlurs with a Gaussian"));
    const QStringList options = described({"gaussian", "a", "b", "--"});
    QVERIFY(options.filter(QRegularExpression("^--sigma\tStandard deviation")).size() == 1);
    QVERIFY(options.filter(QRegularExpression("^--overwrite\treplace OUTPUT")).size() == 1);
    // Every option has a description.
    for (const QString& line : options) QVERIFY2(line.section('\t', 1) != "", qPrintable(line));
    const QStringList inputs = described({"gaussian", ""});
    QCOMPARE(inputs.size(), 1);
    QVERIFY2(inputs[0].startsWith("\tfiles\t") && inputs[0].contains(" png "),
             qPrintable(inputs[0]));
    QVERIFY(!inputs[0].contains("mp4"));
    QVERIFY(described({"batch", "median", ""})[0].contains("mp4"));
    QCOMPARE(described({"batch", "median", "-o", ""}), QStringList{"\tfolders"});
    QCOMPARE(described({"batch", "median", "--report", ""}), QStringList{"\tfiles"});
    QCOMPARE(described({"gaussian", "--sigma", ""}), QStringList{"\tmessage\tSigma, 0 to 1000 px"});
    // Both input and output are given, not counting an option's value.
    QCOMPARE(described({"gaussian", "--sigma", "3", "a", "b", ""}), QStringList());
    QCOMPARE(described({"gaussian", "--sigma=3", "a", ""}).size(), 1);
    QVERIFY(described({"recipe", "gaussian", ""}).filter("--sigma").size() == 1);
  }

  void devices_are_those_of_this_machine() {
    // Completion loads no driver that has not been tried, so this tries them first.
    const QStringList all = run({"devices"}).out.split('\n').filter(QRegularExpression("^\\d+  "));
    const QStringList words =
        run({"--complete", "gaussian", "a", "b", "--device", ""}).out.split('\n');
    for (const char* word : {"auto", "gpu", "cpu", "reference"}) QVERIFY(words.contains(word));
    QVERIFY(!all.isEmpty());
    for (const QString& device : all) QVERIFY(words.contains(device.section(' ', 0, 0)));
  }

  // A driver that never answers must not delay completions that need none, nor leave a process
  // behind. Its library is a pipe that is never written to.
  void a_driver_that_hangs_is_not_waited_for() {
    QVERIFY(QDir(folder_.path()).mkpath("vendors"));
    const QByteArray pipe = path("driver.so").toUtf8();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    write("vendors/hangs.icd", pipe + "\n");
    const Run r = run({"--complete", "gaussian", "a", "b", "--device", ""},
                      {"OCL_ICD_VENDORS=" + path("vendors")});
    QVERIFY2(r.out.split('\n').contains("reference"), qPrintable(r.out + r.err));
    const int reader = ::open(pipe.constData(), O_WRONLY | O_NONBLOCK);
    QCOMPARE(reader, -1);
    QCOMPARE(errno, ENXIO);  // no reader is left
  }

  void shells_offer_it_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("offered");
    QTest::addColumn<QStringList>("not_offered");
    using L = QStringList;
    QTest::newRow("filters and commands")
        << L{""} << L{"gaussian", "bilateral", "apply", "recipe"} << L{"--sigma"};
    QTest::newRow("part of a filter") << L{"geo"} << L{"geometry_blur"} << L{"gaussian", "help"};
    QTest::newRow("options") << L{"gaussian", "a", "b", "--"}
                             << L{"--sigma", "--border", "--device", "--overwrite"}
                             << L{"--range-sigma", "gaussian"};
    QTest::newRow("part of an option")
        << L{"bilateral", "a", "b", "--ra"} << L{"--range-sigma", "--radius"} << L{"--sigma"};
    QTest::newRow("a choice") << L{"gaussian", "a", "b", "--border", ""}
                              << L{"clamp", "mirror", "wrap", "zero"} << L{"--sigma", "in.ppm"};
    QTest::newRow("part of a choice")
        << L{"gaussian", "a", "b", "--border", "mi"} << L{"mirror"} << L{"clamp"};
    QTest::newRow("depths") << L{"gaussian", "a", "b", "--bits", ""} << L{"8", "half"} << L{};
    QTest::newRow("profiles") << L{"gaussian", "a", "b", "--profile", "s"} << L{"srgb", "strip"}
                              << L{"keep"};
    QTest::newRow("presets") << L{"presets", "se"} << L{"sepia"} << L{"vivid", "sepia_mine.json"};
    // A recipe file is allowed too, and a folder may contain one.
    QTest::newRow("presets and recipes")
        << L{"apply", "sepia"} << L{"sepia", "sepia_mine.json", "sepia_folder"}
        << L{"vivid", "sepia.PPM"};
    QTest::newRow("only pictures behind a preset")
        << L{"apply", "sepia", "se"} << L{"sepia.PPM", "sepia_folder"}
        << L{"sepia", "sepia_mine.json"};
    QTest::newRow("filters to help with") << L{"help", "bi"} << L{"bilateral"} << L{"gaussian"};
    QTest::newRow("pictures") << L{"gaussian", ""} << L{"in.ppm", "sepia.PPM", "sepia_folder"}
                              << L{"notes.txt", "clip.mp4", "sepia_mine.json"};
    QTest::newRow("a picture for a role")
        << L{"geometry_blur", "in.ppm", "o.png", "--normal", "i"} << L{"in.ppm"} << L{"notes.txt"};
    QTest::newRow("movies for a batch")
        << L{"batch", "median", ""} << L{"in.ppm", "clip.mp4", "sepia_folder"} << L{"notes.txt"};
    QTest::newRow("a folder") << L{"batch", "median", "--output", ""} << L{"sepia_folder"}
                              << L{"in.ppm", "notes.txt"};
    QTest::newRow("no file for a number")
        << L{"gaussian", "a", "b", "--sigma", ""} << L{} << L{"in.ppm", "notes.txt"};
  }

  void shells_offer_it() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, offered);
    QFETCH(QStringList, not_offered);
    const QStringList line = QStringList{"sfumato"} + words;
    compare("bash", bash_offers(line), offered, not_offered);
    if (QTest::currentTestFailed()) return;
    if (*SFUMATO_ZSH != '\0') {
      compare("zsh", words_of(zsh_offers(line.join(' '))), offered, not_offered);
    }
    if (QTest::currentTestFailed()) return;
    if (*SFUMATO_FISH != '\0') {
      compare("fish", words_of(fish_offers(line.join(' '))), offered, not_offered);
    }
  }

  // Bash splits "--border=mi" into three words, the others keep one.
  void a_value_behind_an_equals_sign() {
    const QStringList before{"sfumato", "gaussian", "a", "b"};
    QCOMPARE(bash_offers(before + QStringList{"--border", "=", "mi"}), QStringList{"mirror"});
    const QStringList all = bash_offers(before + QStringList{"--border", "="});
    QVERIFY(all.contains("mirror") && all.contains("clamp") && !all.contains("--sigma"));
    const QString line = before.join(' ') + " --border=mi";
    if (*SFUMATO_ZSH != '\0') {
      QCOMPARE(words_of(zsh_offers(line)), QStringList{"--border=mirror"});
      QCOMPARE(words_of(zsh_offers(before.join(' ') + " --mask=in")), QStringList{"--mask=in.ppm"});
    }
    if (*SFUMATO_FISH != '\0') {
      QCOMPARE(words_of(fish_offers(line)), QStringList{"--border=mirror"});
    }
  }

  void words_are_explained() {
    const auto explained = [](const QStringList& lines) {
      return lines.filter("\tThe picture reflected").size() == 1;
    };
    const QString line = "sfumato gaussian a b --border mi";
    if (*SFUMATO_ZSH != '\0') QVERIFY(explained(zsh_offers(line)));
    if (*SFUMATO_FISH != '\0') QVERIFY(explained(fish_offers(line)));
  }

  void completion_before_other_words() {
    const QStringList offered = bash_offers({"sfumato", "gaussian", "--bor|", "a", "b"});
    QCOMPARE(offered, QStringList{"--border"});
  }

  // Fish passes a word as typed: with its quotes, backslashes, ~ and "--option=".
  void fish_takes_any_way_of_writing_a_name_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QStringList>("offered");
    using L = QStringList;
    QTest::newRow("backslash") << "gaussian odd/my\\ " << L{"odd/my file.png"};
    QTest::newRow("double quote") << "gaussian \"odd/my " << L{"odd/my file.png"};
    QTest::newRow("single quote") << "gaussian 'odd/my " << L{"odd/my file.png"};
    QTest::newRow("dollar") << "gaussian odd/a\\$" << L{"odd/a$b.png"};
    QTest::newRow("apostrophe") << "gaussian odd/with\\'" << L{"odd/with'q.png"};
    QTest::newRow("folder below") << "gaussian odd/sub\\ dir/p" << L{"odd/sub dir/pic.png"};
    QTest::newRow("home") << "gaussian ~/odd/pl" << L{"~/odd/plain.png"};
    QTest::newRow("home and backslash") << "gaussian ~/odd/my\\ " << L{"~/odd/my file.png"};
    QTest::newRow("behind =") << "gaussian a b --mask=odd/pl" << L{"--mask=odd/plain.png"};
    QTest::newRow("behind = and backslash")
        << "gaussian a b --mask=odd/my\\ " << L{"--mask=odd/my file.png"};
    QTest::newRow("report") << "batch median --report=odd/no" << L{"--report=odd/notes"};
    QTest::newRow("folder behind =") << "batch median --output=odd/s" << L{"--output=odd/sub dir"};
    QTest::newRow("folder, quoted") << "batch median -o 'odd/sub d" << L{"odd/sub dir"};
    QTest::newRow("other ending") << "gaussian odd/no" << L{"odd/notes"};
    QTest::newRow("other ending behind =") << "gaussian a b --mask=odd/no" << L{"--mask=odd/notes"};
    QTest::newRow("recipe of other ending") << "apply odd/no" << L{"odd/notes"};
    QTest::newRow("dash") << "gaussian -- -da" << L{"-dash.png"};
    QTest::newRow("quoted value") << "gaussian a b --border \"mi" << L{"mirror"};
    QTest::newRow("no file for a number") << "gaussian a b --sigma odd/" << L{};
  }

  void fish_takes_any_way_of_writing_a_name() {
    QFETCH(QString, typed);
    QFETCH(QStringList, offered);
    if (*SFUMATO_FISH == '\0') SKIP_WITHOUT("fish");
    QCOMPARE(words_of(fish_offers("sfumato " + typed)), offered);
  }

  void fish_offers_pictures_where_there_are_some() {
    if (*SFUMATO_FISH == '\0') SKIP_WITHOUT("fish");
    const QStringList offered = words_of(fish_offers("sfumato gaussian odd/"));
    compare("fish", offered, {"odd/my file.png", "odd/sub dir", "odd/a$b.png"}, {"odd/notes"});
    QCOMPARE(offered.filter("failed").size(), 0);
    // If a word matches, the other files are not offered.
    QCOMPARE(words_of(fish_offers("sfumato apply cyan")), QStringList{"cyanotype"});
  }

  // Any file name is allowed: if none with a known extension matches, all are offered.
  void bash_falls_back_to_any_file() {
    QVERIFY(bash_offers({"sfumato", "gaussian", "no"}).isEmpty());
    const QStringList set = in_bash("complete -p sfumato", {});
    QCOMPARE(set.size(), 1);
    QVERIFY2(set[0].contains("-o default"), qPrintable(set[0]));
  }

#ifdef SFUMATO_EDITOR
  void the_editor_completes_too() {
    const auto everywhere = [&](const QStringList& words, const QStringList& offered,
                                const QStringList& not_offered) {
      const QStringList line = QStringList{"sfumato-editor"} + words;
      compare("bash", bash_offers(line), offered, not_offered);
      if (*SFUMATO_ZSH != '\0') {
        compare("zsh", words_of(zsh_offers(line.join(' '))), offered, not_offered);
      }
      if (*SFUMATO_FISH != '\0') {
        compare("fish", words_of(fish_offers(line.join(' '))), offered, not_offered);
      }
    };
    everywhere({"--b"}, {"--batch"}, {"--recipe", "in.ppm"});
    everywhere({"--recipe", "sepia"}, {"sepia", "sepia_mine.json"}, {"sepia.PPM"});
    everywhere({"--batch", ""}, {"in.ppm", "sepia_mine.json", "sepia_folder"}, {"notes.txt"});
    everywhere({"--device", "ref"}, {"reference"}, {"gpu"});
  }
#endif
};

QTEST_GUILESS_MAIN(TestShells)
#include "test_shells.moc"
