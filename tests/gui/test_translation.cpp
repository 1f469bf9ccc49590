// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The German translation is whole, keeps what programs read in texts, and is what windows show.
#include <sys/resource.h>

#include <QDialogButtonBox>
#include <QLibraryInfo>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QXmlStreamReader>
#include <QtTest>
#include <csignal>
#include <functional>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "document/fault.hpp"
#include "engine/session.hpp"
#include "engine/user_presets.hpp"
#include "filters/registry.hpp"
#include "io/io.hpp"
#include "params/core_text.hpp"
#include "params/model_text.hpp"
#include "params/translation.hpp"
#include "preview/recipe_fault.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

// A text as sfumato-texts prints it, and what it is where that is said.
constexpr const char* printed_line =
    "QT_TRANSLATE_NOOP3?\\(\"sfumato\", \"((?:[^\"\\\\]|\\\\.)*)\"(?:, \"([a-z]+)\")?\\)";

struct Message {
  QString context, source, comment, state;
  QStringList translations;  // several where there are plural forms
  bool plural = false;

  QString where() const { return context + QLatin1String(": ") + source; }
};

QList<Message> read_messages(QIODevice& file) {
  QXmlStreamReader xml(&file);
  QList<Message> messages;
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto name = xml.name();
    if (name == QLatin1String("name")) {
      context = xml.readElementText();
    } else if (name == QLatin1String("message")) {
      messages << Message{context, {}, {},
                          {},      {}, xml.attributes().hasAttribute(QLatin1String("numerus"))};
    } else if (name == QLatin1String("source")) {
      messages.back().source = xml.readElementText();
    } else if (name == QLatin1String("comment")) {
      messages.back().comment = xml.readElementText();
    } else if (name == QLatin1String("translation")) {
      messages.back().state = xml.attributes().value(QLatin1String("type")).toString();
      if (!messages.back().plural) messages.back().translations << xml.readElementText();
    } else if (name == QLatin1String("numerusform")) {
      messages.back().translations << xml.readElementText();
    }
  }
  return xml.hasError() ? QList<Message>() : messages;
}

// All that matches, sorted: order may differ between languages.
QStringList all_of(const QString& text, const char* pattern) {
  QStringList found;
  auto matches = QRegularExpression(QLatin1String(pattern)).globalMatch(text);
  while (matches.hasNext()) found << matches.next().captured();
  found.sort();
  return found;
}

// What the core says when that goes wrong.
QString said(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

QString plain(QString text) {
  return text.remove(QLatin1Char('&'));
}

}  // namespace

class TestTranslation : public QObject {
  Q_OBJECT

 private:
  QList<Message> messages_;

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QFile file(QStringLiteral(SFUMATO_TS));
    QVERIFY(file.open(QIODevice::ReadOnly));
    messages_ = read_messages(file);
    QVERIFY(messages_.size() > 500);
  }

  void every_text_is_translated() {
    for (const Message& m : std::as_const(messages_)) {
      QVERIFY2(m.state.isEmpty(), qPrintable(m.where()));
      QCOMPARE(m.translations.size(), m.plural ? 2 : 1);
      for (const QString& text : m.translations) QVERIFY2(!text.isEmpty(), qPrintable(m.where()));
    }
  }

  void placeholders_tags_and_edges_are_kept() {
    for (const Message& m : std::as_const(messages_)) {
      for (const QString& text : m.translations) {
        for (const char* kept : {"%L?(?:[0-9]+|n)", "<[^>]+>", "\\*\\.[a-z]+", "^\\s+|\\s+$",
                                 "(?:…|:)$", "\\[\\*\\]"}) {
          QVERIFY2(all_of(text, kept) == all_of(m.source, kept), qPrintable(m.where()));
        }
      }
    }
  }

  void shortcuts_stay_and_mnemonics_have_a_letter() {
    for (const Message& m : std::as_const(messages_)) {
      const QString& text = m.translations.first();
      if (!all_of(m.source, "^(?:Ctrl|Alt|Shift)\\+\\S+$").isEmpty()) QCOMPARE(text, m.source);
      if (m.context == QLatin1String("sfumato")) continue;
      QVERIFY2(QKeySequence::mnemonic(text).isEmpty() == QKeySequence::mnemonic(m.source).isEmpty(),
               qPrintable(m.where()));
    }
  }

  void filters_parameters_and_presets_are_in_it() {
    QProcess texts;
    texts.start(QStringLiteral(SFUMATO_TEXTS));
    QVERIFY(texts.waitForFinished(60000));
    QCOMPARE(texts.exitCode(), 0);
    QSet<QString> translated;
    for (const Message& m : std::as_const(messages_)) {
      if (m.context == QLatin1String("sfumato")) translated << m.comment + u'|' + m.source;
    }
    const QString printed = QString::fromUtf8(texts.readAllStandardOutput());
    static const QRegularExpression line((QLatin1String(printed_line)));
    auto matches = line.globalMatch(printed);
    qsizetype count = 0;
    for (; matches.hasNext(); ++count) {
      const auto match = matches.next();
      QString text = match.captured(1);
      text.replace(QLatin1String("\\\""), QLatin1String("\""))
          .replace(QLatin1String("\\\\"), QLatin1String("\\"));
      QVERIFY2(translated.contains(match.captured(2) + u'|' + text), qPrintable(text));
    }
    QCOMPARE(count, printed.count(u'\n'));
    QCOMPARE(count, translated.size());
  }

#ifdef SFUMATO_TRANSLATED
  void the_compiled_translation_holds_every_text() {
    QTranslator compiled;
    QVERIFY(compiled.load(QStringLiteral(":/i18n/sfumato_de.qm")));
    for (const Message& m : std::as_const(messages_)) {
      for (qsizetype i = 0; i < m.translations.size(); ++i) {
        const QByteArray context = m.context.toUtf8(), source = m.source.toUtf8(),
                         comment = m.comment.toUtf8();
        QCOMPARE(compiled.translate(context, source, comment, m.plural ? int(i) + 1 : -1),
                 m.translations[i]);
      }
    }
  }

  void a_language_without_translation_is_english() {
    for (const char* language : {"en", "en_GB", "xx"}) {
      install_translations(QLatin1String(language));
      QCOMPARE(MainWindow::tr("&File"), QStringLiteral("&File"));
      QCOMPARE(MainWindow::tr("%n step(s)", nullptr, 1), QStringLiteral("1 step"));
      QCOMPARE(MainWindow::tr("%n step(s)", nullptr, 2), QStringLiteral("2 steps"));
    }
  }

  void windows_speak_german() {
    install_translations(QStringLiteral("de_AT"));
    MainWindow window;
    QStringList titles;
    for (const QAction* menu : window.menuBar()->actions()) titles << plain(menu->text());
    QCOMPARE(titles.join(u' '), QStringLiteral("Datei Bearbeiten Ansicht Vorgaben Hilfe"));
    QCOMPARE(MainWindow::tr("%n step(s)", nullptr, 1), QStringLiteral("1 Schritt"));
    QCOMPARE(MainWindow::tr("%n step(s)", nullptr, 3), QStringLiteral("3 Schritte"));

    // One English word, three meanings.
    const FilterInfo& levels = Registry::get().at("levels").filter->info();
    QCOMPARE(label_of(levels), QStringLiteral("Tonwertkorrektur"));
    QCOMPARE(model_text("Levels"), QStringLiteral("Stufen"));
    const auto* filters = window.browser().findChild<QTreeWidget*>();
    QVERIFY(!filters->findItems(label_of(levels), Qt::MatchExactly | Qt::MatchRecursive).isEmpty());
    QVERIFY(filters->findItems(QStringLiteral("Levels"), Qt::MatchExactly | Qt::MatchRecursive)
                .isEmpty());
  }

  // The core's own sentences, as it says them now.
  void so_does_the_core_data() {
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("german");
    static const QTemporaryDir folder;
    const auto file_of = [](const char* name, const QByteArray& bytes) {
      QFile made(folder.filePath(QLatin1String(name)));
      if (made.open(QIODevice::WriteOnly)) made.write(bytes);
      return made.fileName();
    };
    const auto reading = [](const QString& path) {
      return said([&] { (void)open_picture(path.toStdString()); });
    };
    const auto writing = [](const QString& path, WriteOptions options = {}) {
      return said([&] { check_output(path.toStdString(), options); });
    };
    // The file that the sentence begins with, if it does, and the rest.
    const auto add = [](const char* name, const QString& english, const char* german = "",
                        const QString& path = {}) {
      const QString file = path.isEmpty() ? path : u'"' + path + u'"';
      QTest::newRow(name) << english << file + QString::fromUtf8(german);
    };
    const QString none = folder.filePath(QStringLiteral("none.png")), in = folder.path();
    add("missing", reading(none), ": Diese Datei gibt es nicht; bitte den Namen prüfen", none);
    add("folder", reading(in), ": Das ist ein Ordner; bitte ein Bild darin angeben", in);
    const QString empty = file_of("empty.png", {});
    add("empty", reading(empty), ": Die Datei ist leer; bitte neu erzeugen", empty);
    const QString text = file_of("text.png", "no picture at all");
    add("no picture", reading(text),
        ": Das ist kein Bild in einem lesbaren Format; bitte zuerst in PNG, TIFF oder OpenEXR "
        "umwandeln",
        text);
    const QString there = file_of("there.png", "x");
    add("exists", writing(there),
        ": Die Datei gibt es schon; einen anderen Namen wählen oder das Überschreiben erlauben",
        there);
    add("extension", writing(folder.filePath(QStringLiteral("picture.pgn"))));
    add("no extension", writing(folder.filePath(QStringLiteral("picture"))));
    add("no folder", writing(folder.filePath(QStringLiteral("deep/picture.png"))));
    // A file system that is full, as far as this process may tell.
    const QString large = folder.filePath(QStringLiteral("large.tif"));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit little{4096, before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little);
    const QString full = said([&] {
      const HeldPicture picture = blank_picture({900, 700, 3, SampleType::u8});
      const auto out = create_picture(large.toStdString(), {}, picture.format);
      out->write(picture.view());
      out->commit();
    });
    setrlimit(RLIMIT_FSIZE, &before);
    add("full", full);

    const auto checking = [](const char* filter, const char* name, const char* value) {
      return said([&] { (void)testing::one_step(filter, {{name, value}}); });
    };
    add("range", checking("gaussian", "sigma", "2000"),
        "sigma: 2000 px liegt außerhalb von 0 bis 1000 px");
    add("choice", checking("gaussian", "border", "clmp"));
    add("parameter", checking("gaussian", "sigmaa", "1"),
        "unbekannter Parameter \"sigmaa\" von gaussian; war \"sigma\" gemeint?");
    const auto recipe = [](const char* json) {
      return said([&] { (void)parse_recipe(json, Registry::get(), {}); });
    };
    add("filter", recipe(R"({"sfumato": 1, "steps": [{"filter": "gausian"}]})"),
        "Schritt 1: unbekannter Filter \"gausian\"; war \"gaussian\" gemeint?");
    add("value",
        recipe(R"({"sfumato": 1, "steps": [{"filter": "gaussian", "values": {"sigma": -1}}]})"),
        "Schritt 1 (gaussian): sigma: -1 px liegt außerhalb von 0 bis 1000 px");
    add("newer filter",
        recipe(R"({"sfumato": 1, "steps": [{"filter": "median", "version": 99}]})"));
    add("newer recipe", recipe(R"({"sfumato": 99, "steps": []})"));
    add("no recipe", recipe("{}"),
        "Das ist kein Rezept von Sfumato: Die Versionsangabe \"sfumato\" fehlt");
    add("no JSON", recipe("{"));
    add("preset", said([&] { (void)save_preset(in.toStdString(), "", {}, false); }));

    SessionOptions options;
    options.device = "reference";
    const auto rendering = [&](const Recipe& steps, const RenderOptions& how) {
      return said([&] {
        const HeldPicture picture = blank_picture({40, 30, 3, SampleType::u8});
        HeldPicture out = picture;
        MemorySource source = picture.source();
        MemorySink sink(out.format, out.view());
        Session(options).render(steps, source, sink, how);
      });
    };
    const Recipe guided = testing::one_step("joint_bilateral", {{"guide", "guide.png"}});
    RenderOptions roles;
    roles.roles = [](int, const std::string&, const ImageRef&) -> std::shared_ptr<PixelSource> {
      static const HeldPicture small = blank_picture({20, 30, 3, SampleType::u8});
      return std::make_shared<MemorySource>(small.source());
    };
    add("role's size", rendering(guided, roles));
    add("role", rendering(testing::one_step("fft_convolve", Values()), {}),
        "fft_convolve braucht ein Bild für die Rolle \"kernel\"");
    RenderOptions stopping;
    stopping.progress = [](double) { return false; };
    add("cancelled", rendering(testing::one_step("gaussian", Values()), stopping), "abgebrochen");
  }

  void so_does_the_core() {
    QFETCH(const QString, english);
    QFETCH(const QString, german);
    install_translations(QStringLiteral("de"));
    const QString text = core_text(english);
    QVERIFY(!english.isEmpty());
    QVERIFY2(text != english, qPrintable(english));
    if (!german.isEmpty()) QCOMPARE(text, german);
    // Values are kept, and nothing English is left beside them.
    for (const char* word : {" the ", " is ", " cannot ", " file ", " choose "}) {
      QVERIFY2(!text.contains(QLatin1String(word)), qPrintable(text));
    }
    QVERIFY2(!text.contains(QLatin1String("(--")) && !text.contains(u'%'), qPrintable(text));
  }

  void what_the_core_says_otherwise_stays() {
    const QString other = QStringLiteral("something that nobody has put into words, 50 % (--x)");
    QCOMPARE(core_text(other), other);
    const FileError error("/tmp/a; b: c (d).png: the file is empty; make it again");
    QCOMPARE(fault_of(error),
             QStringLiteral("/tmp/a; b: c (d).png: Die Datei ist leer; bitte neu erzeugen"));
    const Recipe recipe = testing::one_step("fft_convolve", Values());
    QVERIFY(fault_sentence(recipe, QStringLiteral("fft_convolve needs a picture for its role "
                                                  "\"kernel\""))
                .endsWith(QStringLiteral("braucht ein Bild für die Rolle \"kernel\"")));
  }

  void so_do_the_buttons_of_qt() {
    const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (!QFile::exists(folder + QStringLiteral("/qtbase_de.qm"))) QSKIP("no translation of Qt");
    install_translations(QStringLiteral("de"));
    const QDialogButtonBox buttons(QDialogButtonBox::Cancel);
    QCOMPARE(plain(buttons.button(QDialogButtonBox::Cancel)->text()), QStringLiteral("Abbrechen"));
  }
#endif
};

QTEST_MAIN(TestTranslation)
#include "test_translation.moc"
