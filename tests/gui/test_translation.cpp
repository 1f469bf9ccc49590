// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The German translation is complete, preserves placeholders and names, and is what windows show.
#include <sys/resource.h>

#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLibraryInfo>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QTreeWidget>
#include <QXmlStreamReader>
#include <algorithm>
#include <csignal>
#include <functional>
#include <utility>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "document/fault.hpp"
#include "engine/roles.hpp"
#include "engine/session.hpp"
#include "engine/user_presets.hpp"
#include "filters/registry.hpp"
#include "io/io.hpp"
#include "params/core_text.hpp"
#include "params/model_text.hpp"
#include "params/translation.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

// A role picture that covers part of its format.
class Part final : public PixelSource {
 public:
  explicit Part(const PictureFormat& format) : format_(format) {}
  const PictureFormat& format() const override { return format_; }
  Rect covered() const override { return {5, 6, 20, 16}; }
  void read(const Rect&, void*, std::ptrdiff_t) override {}

 private:
  PictureFormat format_;
};

struct Entry {
  QString context, source, comment, state;
  QStringList translations;  // several if there are plural forms
  bool plural = false;

  QString where() const { return context + QLatin1String(": ") + source; }
};

QList<Entry> read_messages(QIODevice& file) {
  QXmlStreamReader xml(&file);
  QList<Entry> messages;
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto name = xml.name();
    if (name == QLatin1String("name")) {
      context = xml.readElementText();
    } else if (name == QLatin1String("message")) {
      messages << Entry{context, {}, {},
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
  return xml.hasError() ? QList<Entry>() : messages;
}

// All matches, sorted, since order may differ between languages.
QStringList all_of(const QString& text, const char* pattern) {
  QStringList found;
  auto matches = QRegularExpression(QLatin1String(pattern)).globalMatch(text);
  while (matches.hasNext()) found << matches.next().captured();
  found.sort();
  return found;
}

// The core's message for a failure.
Message said(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return message_in(error);
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
  QList<Entry> messages_;

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QFile file(QStringLiteral(SFUMATO_TS));
    QVERIFY(file.open(QIODevice::ReadOnly));
    messages_ = read_messages(file);
    QVERIFY(messages_.size() > 500);
  }

  void every_text_is_translated() {
    for (const Entry& m : std::as_const(messages_)) {
      QVERIFY2(m.state.isEmpty(), qPrintable(m.where()));
      QCOMPARE(m.translations.size(), m.plural ? 2 : 1);
      for (const QString& text : m.translations) QVERIFY2(!text.isEmpty(), qPrintable(m.where()));
    }
  }

  void placeholders_tags_and_edges_are_kept() {
    for (const Entry& m : std::as_const(messages_)) {
      for (const QString& text : m.translations) {
        for (const char* kept : {"%L?(?:[0-9]+|n)", "<[^>]+>", "\\*\\.[a-z]+", "^\\s+|\\s+$",
                                 "(?:…|:)$", "\\[\\*\\]"}) {
          QVERIFY2(all_of(text, kept) == all_of(m.source, kept), qPrintable(m.where()));
        }
      }
    }
  }

  void shortcuts_stay_and_mnemonics_have_a_letter() {
    for (const Entry& m : std::as_const(messages_)) {
      const QString& text = m.translations.first();
      if (!all_of(m.source, "^(?:Ctrl|Alt|Shift)\\+\\S+$").isEmpty()) QCOMPARE(text, m.source);
      QVERIFY2(QKeySequence::mnemonic(text).isEmpty() == QKeySequence::mnemonic(m.source).isEmpty(),
               qPrintable(m.where()));
    }
  }

#ifdef SFUMATO_TRANSLATED
  void the_compiled_translation_holds_every_text() {
    QTranslator compiled;
    QVERIFY(compiled.load(QStringLiteral(":/i18n/sfumato_de.qm")));
    for (const Entry& m : std::as_const(messages_)) {
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

    // One English word with three meanings.
    const FilterInfo& levels = Registry::get().at("levels").filter->info();
    QCOMPARE(label_of(levels), QStringLiteral("Tonwertkorrektur"));
    QCOMPARE(model_text("Levels"), QStringLiteral("Stufen"));
    const auto* filters = window.browser().findChild<QTreeWidget*>();
    QVERIFY(!filters->findItems(label_of(levels), Qt::MatchExactly | Qt::MatchRecursive).isEmpty());
    QVERIFY(filters->findItems(QStringLiteral("Levels"), Qt::MatchExactly | Qt::MatchRecursive)
                .isEmpty());
  }

  // The core's sentences, as it produces them.
  void so_does_the_core_data() {
    QTest::addColumn<Message>("message");
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
    // Splits off the file name at the beginning of the sentence, if any.
    const auto add = [](const char* name, const Message& message, const char* german = "",
                        const QString& path = {}) {
      const QString file = path.isEmpty() ? path : u'"' + path + u'"';
      QTest::newRow(name) << message << file + QString::fromUtf8(german);
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
    // A full file system, simulated by a limit of this process.
    const QString large = folder.filePath(QStringLiteral("large.tif"));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit little{4096, before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little);
    const Message full = said([&] {
      const HeldPicture picture = blank_picture({900, 700, 3, SampleType::u8});
      const auto out = create_picture(large.toStdString(), {}, picture.format);
      out->write(picture.view());
      out->commit();
    });
    setrlimit(RLIMIT_FSIZE, &before);
    add("full", full);

    // Features that a file cannot hold.
    const PictureFormat rich{40, 30, 4, SampleType::u16, AlphaKind::straight, Coding::srgb()};
    const auto jpeg =
        create_picture(folder.filePath(QStringLiteral("a.jpg")).toStdString(), {}, rich);
    const HeldPicture transparent = blank_picture(jpeg->format());
    jpeg->write(transparent.view());
    jpeg->commit();
    QCOMPARE(jpeg->warnings().size(), 2u);
    const QString jpeg_file = folder.filePath(QStringLiteral("a.jpg"));
    add("depth", jpeg->warnings()[0],
        ": JPEG speichert Zahlen nicht als 16-bit; das Bild wird mit solchen als 8-bit gespeichert",
        jpeg_file);
    add("transparency", jpeg->warnings()[1],
        ": JPEG kennt keine Transparenz; das Bild wird auf Weiß gelegt", jpeg_file);
    const auto checking = [](const char* filter, const char* name, const char* value) {
      return said([&] { (void)testing::one_step(filter, {{name, value}}); });
    };
    add("range", checking("gaussian", "sigma", "2000"));
    add("choice", checking("gaussian", "border", "clmp"));
    add("parameter", checking("gaussian", "sigmaa", "1"));
    const auto recipe = [](const char* json) {
      return said([&] { (void)parse_recipe(json, Registry::get(), {}); });
    };
    add("filter", recipe(R"({"sfumato": 1, "steps": [{"filter": "gausian"}]})"));
    add("value",
        recipe(R"({"sfumato": 1, "steps": [{"filter": "gaussian", "values": {"sigma": -1}}]})"));
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
    add("role", rendering(testing::one_step("fft_convolve", Values()), {}));
    for (const int channels : {1, 2}) {
      RenderOptions flat;
      flat.roles = [channels](int, const std::string&, const ImageRef&) {
        return std::make_shared<Part>(PictureFormat{40, 30, channels, SampleType::u8});
      };
      const Recipe by_normals = testing::one_step("joint_bilateral", {{"normal", "normal.png"}});
      add(channels == 1 ? "normals of 1 channel" : "normals of 2", rendering(by_normals, flat));
    }
    for (const char* role : {"mask", "guide"}) {
      Roles partly;
      const PictureFormat of{40, 30, 3, SampleType::u8};
      partly.opened.emplace(std::pair(0, role), OpenedRole{std::make_shared<Part>(of)});
      add(role, gaps_in(partly, of, of.rect()).at(0));
    }
    options.memory_limit = 1024;
    add("memory", rendering(testing::one_step("spectrum", Values()), {}));
    options.memory_limit = 0;
  }

  void so_does_the_core() {
    QFETCH(const Message, message);
    QFETCH(const QString, german);
    const QString english = QString::fromStdString(in_english(message));
    install_translations(QStringLiteral("de"));
    const QString text = core_text(message);
    QVERIFY(!english.isEmpty());
    QVERIFY2(text != english, qPrintable(english));
    if (!german.isEmpty()) QCOMPARE(text, german);
    // Values are kept, and no English remains beside them.
    for (const char* word : {" the ", " is ", " cannot ", " file ", " choose "}) {
      QVERIFY2(!text.contains(QLatin1String(word)), qPrintable(text));
    }
    QVERIFY2(!text.contains(QLatin1String("(--")) && !text.contains(u'%'), qPrintable(text));
  }

  // Filters and choices by their labels, sentences within sentences.
  void methods_are_put_into_words() {
    SessionOptions options;
    options.device = "reference";
    Session session(options);
    const auto method_of = [&](const char* filter, const Values& values) {
      const Recipe recipe = testing::one_step(filter, values);
      return core_text(session.explain(recipe, {40, 30, 3, SampleType::u8}).at(0));
    };
    install_translations(QStringLiteral("de"));
    QCOMPARE(method_of("edges", {}), QStringLiteral("Kantenstärke: Sobel, Betrag"));
    Values values;
    values.set("radius", std::int64_t{2});
    values.set("method", Choice("exact"));
    QCOMPARE(method_of("bilateral", values),
             QStringLiteral("Bilateral: genau, Fenster von 5 x 5 px"));
    QCOMPARE(method_of("grayscale", {}), QStringLiteral("Graustufen"));
  }

  void what_the_core_says_otherwise_stays() {
    const std::string other = "something that nobody has put into words, 50 % (x)";
    QCOMPARE(core_text(foreign_message(other)), QString::fromStdString(other));
    const FileError error(message({"file.empty", "{file}: the file is empty; make it again"},
                                  "/tmp/a; b: c (d).png"));
    QCOMPARE(fault_of(error),
             QStringLiteral("/tmp/a; b: c (d).png: Die Datei ist leer; bitte neu erzeugen"));
  }

  void no_window_names_options_or_commands() {
    for (const char* language : {"en", "de"}) {
      install_translations(QLatin1String(language));
      for (const Translation& t : Translations::of("de").all()) {
        if (t.kind != TextKind::message) continue;
        if (t.file == "core/text/terminal/de.json") continue;
        if (t.english.find("this shard") != std::string::npos) continue;  // for the terminal only
        const QString text = core_text(Message{"any", t.english, {}});
        QVERIFY2(!text.contains(QLatin1String("--")) && !text.contains(u'`'), qPrintable(text));
      }
    }
  }

  void parameters_go_by_their_labels_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("named");
    const auto add = [](const char* filter, const char* values, const char* named) {
      QTest::newRow(filter) << QString::fromUtf8(filter) << QString::fromUtf8(values)
                            << QString::fromUtf8(named);
    };
    add("levels", "black=0.9 white=0.1", "white black output_black output_white");
    add("canny", "low_threshold=0.9 high_threshold=0.1", "low_threshold high_threshold");
    add("frequency", "band=band_pass cutoff=0.5 cutoff_high=0.2", "cutoff_high cutoff");
    add("gaussian", "method=direct sigma=20", "method");
    add("edges", "operator=laplacian show=direction", "show");
    add("convolve", "normalise=yes matrix=0", "normalise");
    add("geometry_blur", "", "normal depth");
    add("joint_bilateral", "", "guide normal depth");
  }

  void parameters_go_by_their_labels() {
    QFETCH(const QString, filter);
    QFETCH(const QString, values);
    QFETCH(const QString, named);
    const Filter& of = *Registry::get().at(filter.toStdString()).filter;
    const ParameterSet& set = of.info().parameters;
    Values given = defaults(set);
    for (const QString& word : values.split(u' ', Qt::SkipEmptyParts)) {
      const std::string name = word.section(u'=', 0, 0).toStdString();
      given.set(name, parse(set.at(name), word.section(u'=', 1).toStdString()));
    }
    Message why;
    try {
      of.check(given);
    } catch (const MessageError& error) {
      why = error.message();
    }
    const QString sentence = QString::fromStdString(in_english(why));
    for (const char* language : {"en", "de"}) {
      install_translations(QLatin1String(language));
      const QString text = core_text(why);
      QVERIFY2(text != sentence, qPrintable(sentence));
      for (const QString& name : named.split(u' ')) {
        const QString label = label_of(set.at(name.toStdString()));
        QVERIFY2(text.contains(label), qPrintable(label + QLatin1String(": ") + text));
      }
      // As in output_black.
      QVERIFY2(all_of(text, "[a-z][_-][a-z]").isEmpty(), qPrintable(text));
    }
  }

  void so_do_the_buttons_of_qt() {
    const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (!QFile::exists(folder + QStringLiteral("/qtbase_de.qm")))
      SKIP_WITHOUT("the translations of Qt");
    install_translations(QStringLiteral("de"));
    const QDialogButtonBox buttons(QDialogButtonBox::Cancel);
    QCOMPARE(plain(buttons.button(QDialogButtonBox::Cancel)->text()), QStringLiteral("Abbrechen"));
  }
#endif
};

QTEST_MAIN(TestTranslation)
#include "test_translation.moc"
