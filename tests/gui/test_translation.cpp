// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The German translation is whole, keeps what programs read in texts, and is what windows show.
#include <QDialogButtonBox>
#include <QLibraryInfo>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QTreeWidget>
#include <QXmlStreamReader>
#include <QtTest>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "filters/registry.hpp"
#include "params/model_text.hpp"
#include "params/translation.hpp"

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
