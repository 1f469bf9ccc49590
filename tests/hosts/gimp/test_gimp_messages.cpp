// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIMP's messages if a layer cannot be filtered, and their language: the error of the procedure,
// which GIMP shows in its own way. The image stays unchanged.
#include <libintl.h>
#include <unistd.h>

#include <QRegularExpression>
#include <clocale>

#include "hosts/gimp/gimp_console.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGimpMessages : public QObject, GimpConsole {
  Q_OBJECT

 private:
  const Recipe recipe_ = one_step("gaussian", {{"sigma", "2"}});

  // Stores the message of the last failed call.
  static QString listening() {
    return QStringLiteral(
        "(define said \"\")"
        "(set! *error-hook* (lambda x (if (string? (car x)) (set! said (car x)))"
        " (apply throw x)))\n");
  }
  // After the call `caught` in a (let* ((failed ...)): its message and the layer's pixels.
  QString noted(const QString& name, const QString& before_dump = {}) const {
    return QStringLiteral(
               " (if (= failed TRUE) (let ((port (open-output-file %1))) (display said port)"
               " (close-output-port port) (set! said \"\") %2 (plug-in-sfumato-test-dump layer "
               "%3)))")
        .arg(quoted(path(name + QStringLiteral(".txt"))), before_dump, quoted(path(name)));
  }
  static QString caught(const QString& call) {
    return QStringLiteral(" (catch (set! failed TRUE) %1) ").arg(call);
  }
  QString words(const QString& name) const {
    QFile file(path(name + QStringLiteral(".txt")));
    return file.open(QFile::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  QString load_input() {
    Image input = scene({40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("refused.in"), input);
    return load(path(QStringLiteral("refused.in")));
  }
  static QString lock() { return QStringLiteral("(gimp-item-set-lock-content layer TRUE)"); }

 private slots:
  void initTestCase() { set_up_plug_ins(); }

  // Unsuitable layers stay unchanged, and the script is told why.
  void refusals() {
    const QString begin = load_input(), filter = caught(call(recipe_));
    run_script(
        listening() + begin + lock() + filter + noted(QStringLiteral("locked")) + end() + begin +
        QStringLiteral("(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 70 60 10 10)") +
        filter + noted(QStringLiteral("beside")) + end() + begin +
        QStringLiteral("(let* ((picture layer)) (set! layer %1) "
                       "(gimp-image-insert-layer image layer 0 0)")
            .arg(new_group) +
        filter + noted(QStringLiteral("group"), QStringLiteral("(set! layer picture)")) +
        QStringLiteral(")") + end() + begin +
        caught(QStringLiteral("(plug-in-sfumato-gaussian RUN-NONINTERACTIVE image %1 -1)")
                   .arg(drawables)) +
        noted(QStringLiteral("arguments")) + end() + begin +
        caught(QStringLiteral("(plug-in-sfumato RUN-WITH-LAST-VALS image %1)").arg(drawables)) +
        noted(QStringLiteral("nothing_yet")) + end() + begin +
        QStringLiteral("(gimp-image-convert-indexed image CONVERT-DITHER-NONE "
                       "CONVERT-PALETTE-GENERATE 255 FALSE FALSE \"\")") +
        filter +
        noted(QStringLiteral("indexed"), QStringLiteral("(gimp-image-convert-rgb image)")) + end());
    Image input = image_of(path(QStringLiteral("refused.in")));
    const std::pair<const char*, const char*> expected[] = {
        {"locked", "The layer's pixels are locked: unlock them to filter it."},
        {"beside", "The selection holds nothing of the layer: there is nothing to filter."},
        {"group", "A layer group has no pixels of its own to filter: choose one of its layers."},
        {"arguments", ""},  // GIMP's own words
        {"nothing_yet", "No filter has been applied yet, so there is none to repeat."},
        {"indexed", "Indexed images cannot be filtered: choose Image, Mode, RGB first."}};
    for (const auto& [name, sentence] : expected) {
      const QString one = QLatin1String(name);
      QVERIFY2(QFile::exists(path(one)), qPrintable(one + QLatin1Char('\n') + said_));
      QVERIFY2(words(one).contains(QLatin1String(sentence)), qPrintable(words(one)));
      // Few colours survive a palette exactly; that the pixels exist is enough.
      if (one != QLatin1String("indexed")) QVERIFY(image_of(path(one)).bytes == input.bytes);
    }
  }

  // A layer in a locked group, and the mask of a locked layer.
  void locks_beside_the_layer() {
    const QString begin = load_input(), filter = caught(call(recipe_));
    const QString in_group = QStringLiteral(
                                 "(let* ((group %1)) (gimp-image-insert-layer image group 0 0) "
                                 "(gimp-image-reorder-item image layer group 0) "
                                 "(gimp-item-set-lock-content group TRUE))")
                                 .arg(new_group);
    const QString with_mask = QStringLiteral(
        "(let* ((picture layer) (mask (car (gimp-layer-create-mask layer "
        "ADD-MASK-WHITE)))) (gimp-layer-add-mask layer mask) "
        "(gimp-item-set-lock-content layer TRUE) (set! layer mask)");
    run_script(listening() + begin + in_group + filter + noted(QStringLiteral("in_group")) + end() +
               begin + with_mask + filter +
               noted(QStringLiteral("mask"), QStringLiteral("(set! layer picture)")) +
               QStringLiteral(")") + end());
    Image input = image_of(path(QStringLiteral("refused.in")));
    const std::pair<const char*, const char*> expected[] = {
        {"in_group", "The layer lies in a group whose pixels are locked: unlock it."},
        {"mask", "The layer's pixels are locked: unlock them to filter it."}};
    for (const auto& [name, sentence] : expected) {
      const QString one = QLatin1String(name);
      QVERIFY2(QFile::exists(path(one)), qPrintable(one + QLatin1Char('\n') + said_));
      QVERIFY2(words(one).contains(QLatin1String(sentence)), qPrintable(words(one)));
      QVERIFY(image_of(path(one)).bytes == input.bytes);
    }
  }

  // Changes to the image between the call and the result, as while the dialog is open: the worker
  // waits for them.
  void images_that_change_meanwhile_data() {
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("the selection") << QStringLiteral("select all") << QString();
    QTest::newRow("a lock") << QStringLiteral("lock")
                            << QStringLiteral("The layer's pixels are locked");
    QTest::newRow("the size") << QStringLiteral("resize")
                              << QStringLiteral("The layer has changed meanwhile");
    QTest::newRow("the layer") << QStringLiteral("delete")
                               << QStringLiteral("There is no layer to filter.");
    // The topmost one, used as the role there.
    QTest::newRow("a role's layer")
        << QStringLiteral("delete role") << QStringLiteral("There is no layer to filter.");
  }
  void images_that_change_meanwhile() {
    if (is_3) QSKIP("the plug-in that changes the image is one for GIMP 2.10");
    QFETCH(QString, action);
    QFETCH(QString, sentence);
    const QString name = QString(action).replace(QLatin1Char(' '), QLatin1Char('_')),
                  moment = path(name + QStringLiteral(".moment"));
    QFile worker(path(name + QStringLiteral(".sh")));
    QVERIFY(worker.open(QFile::WriteOnly));
    worker.write(QStringLiteral("#!/bin/sh\ntouch %1\nfor i in $(seq 80); do "
                                "[ -e %1.past ] && break; sleep 0.1; done\nexec %2\n")
                     .arg(moment, qEnvironmentVariable("SFUMATO_WORKER"))
                     .toUtf8());
    worker.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    worker.close();
    const bool of_role = action == QLatin1String("delete role");
    const Recipe guided = one_step("joint_bilateral", Values());
    const QString filter =
        of_role ? call(Registry::get().at("joint_bilateral").filter->info(), guided.steps[0].values,
                       {{"guide", layer_from(QStringLiteral("refused.in"))}})
                : call(recipe_);
    environment_ = {{QStringLiteral("SFUMATO_WORKER"), worker.fileName()},
                    {QStringLiteral("SFUMATO_TEST_ACTION"), action},
                    {QStringLiteral("SFUMATO_TEST_MOMENT"), moment}};
    const bool stays = action != QLatin1String("delete");
    const QString note = QStringLiteral(
                             "(let ((port (open-output-file %1))) (display said port) "
                             "(close-output-port port))")
                             .arg(quoted(path(name + QStringLiteral(".txt"))));
    run_script(listening() + load_input() +
               QStringLiteral("(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 10 8 12 9)") +
               caught(filter) + note + (stays ? dump(name) : QString()) + end());
    environment_.clear();
    QVERIFY2(QFile::exists(moment + QStringLiteral(".past")), said_.constData());
    QVERIFY2(words(name).contains(sentence) && words(name).isEmpty() == sentence.isEmpty(),
             qPrintable(words(name) + QLatin1Char('\n') + said_));
    if (!stays || action == QLatin1String("resize")) return;
    Image input = image_of(path(QStringLiteral("refused.in"))), got = image_of(path(name)),
          filtered = by_session(recipe_, input);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const bool inside = sentence.isEmpty() && x >= 10 && x < 22 && y >= 8 && y < 17;
        QVERIFY(distance(got, inside ? filtered : input, {x, y, x + 1, y + 1}) <=
                (inside ? 1.01 : 0));
      }
    }
  }

  // Even if a screen seems to exist, in which case Qt would end the plug-in.
  void without_a_screen_data() {
    QTest::addColumn<QString>("platform");
    QTest::addColumn<QString>("display");
    QTest::newRow("none") << QString() << QString();
    QTest::newRow("no X") << QString() << QStringLiteral(":987");
    QTest::newRow("no Wayland") << QStringLiteral("wayland") << QString();
    QTest::newRow("no such platform") << QStringLiteral("banana") << QString();
    QTest::newRow("none of them") << QStringLiteral("wayland;eglfs;xcb") << QStringLiteral(":987");
  }
  void without_a_screen() {
    QFETCH(QString, platform);
    QFETCH(QString, display);
    const auto before = environment_;
    const auto restore = qScopeGuard([&] { environment_ = before; });
    if (!platform.isEmpty()) environment_[QStringLiteral("QT_QPA_PLATFORM")] = platform;
    if (!display.isEmpty()) environment_[QStringLiteral("DISPLAY")] = display;
    QFile::remove(path(QStringLiteral("no_screen")));
    run_script(listening() + load_input() +
               caught(QStringLiteral("(plug-in-sfumato RUN-INTERACTIVE image %1)").arg(drawables)) +
               noted(QStringLiteral("no_screen")) + end());
    QVERIFY2(words(QStringLiteral("no_screen")).contains(QLatin1String("There is no screen")),
             said_.constData());
  }

  // The dialog closes with GIMP and removes its files; those of a dialog that was killed are
  // removed by the next one.
  void killed_with_the_dialog_open() {
    const QDir folders(path(QStringLiteral("tmp")));
    QVERIFY(folders.mkpath(QStringLiteral(".")));
    QProcess gone;
    gone.start(QStringLiteral("true"), QStringList());
    QVERIFY(gone.waitForStarted());
    const QString left = QStringLiteral("sfumato-gimp-%1-abc").arg(gone.processId()),
                  other = QStringLiteral("sfumato-gimp-%1-abc").arg(::getpid());
    QVERIFY(gone.waitForFinished());
    for (const QString& one : {left, other}) QVERIFY(folders.mkpath(one + QStringLiteral("/in")));
    environment_ = {{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen")},
                    {QStringLiteral("TMPDIR"), folders.path()}};
    const auto gimp =
        start(load_input() +
              QStringLiteral("(plug-in-sfumato RUN-INTERACTIVE image %1)").arg(drawables) + end());
    environment_.clear();
    QVERIFY(gimp != nullptr && gimp->waitForStarted());
    const auto ours = [&] {
      QStringList all = folders.entryList({QStringLiteral("sfumato-gimp-*")}, QDir::Dirs);
      all.removeOne(other);
      return all;
    };
    QVERIFY(QTest::qWaitFor([&] { return !ours().isEmpty() && !ours().contains(left); }, 60000));
    QVERIFY(folders.exists(other));
    // The folder names the plug-in's process, whose program link disappears once it has ended.
    const QFileInfo program(QStringLiteral("/proc/%1/exe").arg(ours()[0].section('-', 2, 2)));
    QVERIFY(!program.symLinkTarget().isEmpty());
    gimp->kill();
    QVERIFY(gimp->waitForFinished(60000));
    QVERIFY(QTest::qWaitFor([&] { return ours().isEmpty(); }, 20000));
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo(program.filePath()).symLinkTarget().isEmpty(); },
                            20000));
  }

  void messages_are_in_gimps_language() {
#ifndef SFUMATO_TRANSLATED
    QSKIP("built without translations");
#endif
    run_script(listening() + load_input() + lock() + caught(call(recipe_)) +
                   noted(QStringLiteral("german")) + end(),
               QStringLiteral("de"));
    const QString german = words(QStringLiteral("german"));
    QVERIFY2(german.contains(QStringLiteral(
                 "Die Pixel der Ebene sind gesperrt: Zum Filtern bitte entsperren.")),
             qPrintable(german + QLatin1Char('\n') + said_));
  }

  // GIMP 2.10 translates its menus with the catalog that the plug-in names, as tested here.
  void menus_have_a_catalog() {
#ifndef SFUMATO_TRANSLATED
    QSKIP("built without translations");
#endif
    if (is_3) QSKIP("GIMP 3 is given its words by the plug-in");
    QFile plug_ins(path(QStringLiteral("gimp/pluginrc")));
    QVERIFY(plug_ins.open(QFile::ReadOnly));
    const QRegularExpression catalog(
        QStringLiteral("\\(locale-def \"sfumato-gimp\" \"([^\"]+)\"\\)"));
    const auto match = catalog.match(QString::fromUtf8(plug_ins.readAll()));
    QVERIFY(match.hasMatch());
    qputenv("LANGUAGE", "de");
    QVERIFY(std::setlocale(LC_ALL, "C.UTF-8") != nullptr);
    bindtextdomain("sfumato-gimp", match.captured(1).toUtf8().constData());
    bind_textdomain_codeset("sfumato-gimp", "UTF-8");
    QCOMPARE(dgettext("sfumato-gimp", "Blur..."), "Weichzeichnen...");
    QCOMPARE(dgettext("sfumato-gimp", "Any filter, with a live preview"),
             "Beliebiger Filter, mit Vorschau");
  }
};

QTEST_GUILESS_MAIN(TestGimpMessages)
#include "test_gimp_messages.moc"
