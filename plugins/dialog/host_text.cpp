// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences are known by their words, as gui/params/core_text.cpp knows the core's.
#include "dialog/host_text.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include "app/settings.hpp"
#include "params/core_text.hpp"
#include "params/model_text.hpp"
#include "params/translation.hpp"

namespace sfumato::hosts {
namespace {

// As the code in plugins/ says them; what stands for %1 may be a sentence too.
constexpr const char* templates[] = {
    // GIMP's menus
    QT_TRANSLATE_NOOP("Hosts", "Any filter, with a live preview"),
    QT_TRANSLATE_NOOP("Hosts",
                      "Opens a window with every filter of Sfumato, its settings and a preview."),
    QT_TRANSLATE_NOOP("Hosts", "Opens Sfumato's window at the filters of this category."),
    // What cannot be filtered
    QT_TRANSLATE_NOOP("Hosts", "There is no layer to filter."),
    QT_TRANSLATE_NOOP("Hosts", "Choose one layer: several are selected."),
    QT_TRANSLATE_NOOP(
        "Hosts", "A layer group has no pixels of its own to filter: choose one of its layers."),
    QT_TRANSLATE_NOOP("Hosts", "The layer's pixels are locked: unlock them to filter it."),
    QT_TRANSLATE_NOOP("Hosts", "Indexed images cannot be filtered: choose Image, Mode, RGB first."),
    QT_TRANSLATE_NOOP("Hosts",
                      "The selection holds nothing of the layer: there is nothing to filter."),
    QT_TRANSLATE_NOOP("Hosts", "No filter has been applied yet that could be repeated."),
    QT_TRANSLATE_NOOP("Hosts", "There is no layer called \"%1\" to take pixels from."),
    QT_TRANSLATE_NOOP("Hosts", "There is no such procedure."),
    QT_TRANSLATE_NOOP("Hosts", "The layer lies in a group whose pixels are locked: unlock it."),
    QT_TRANSLATE_NOOP("Hosts", "The layer has changed meanwhile: please filter it again."),
    QT_TRANSLATE_NOOP("Hosts", "GIMP did not take the result."),
    QT_TRANSLATE_NOOP("Hosts", "There is no screen to show the window on."),
    QT_TRANSLATE_NOOP(
        "Hosts",
        "The filter needs the whole picture, which has no end or is too large: crop it first."),
    QT_TRANSLATE_NOOP("Hosts", "The %1 picture has no end or is too large: crop it first."),
    // What fails
    QT_TRANSLATE_NOOP("Hosts", "The last filter cannot be read: %1"),
    QT_TRANSLATE_NOOP("Hosts", "There is not enough memory."),
    QT_TRANSLATE_NOOP("Hosts", "An unknown error."),
    QT_TRANSLATE_NOOP("Hosts", "No temporary folder can be made."),
    QT_TRANSLATE_NOOP("Hosts", "The program that the picture is in does not answer."),
    QT_TRANSLATE_NOOP("Hosts", "The program that the picture is in answered what was not asked."),
    QT_TRANSLATE_NOOP("Hosts",
                      "The process that filters for this program is lost (%1); another one takes "
                      "over."),
    QT_TRANSLATE_NOOP("Hosts",
                      "The process that filters for this program is lost (%1); going on with the "
                      "scalar reference, which is slow."),
    QT_TRANSLATE_NOOP("Hosts",
                      "The chosen device cannot be used (%1): another one takes its place."),
    QT_TRANSLATE_NOOP("Hosts", "it ended"),
    QT_TRANSLATE_NOOP("Hosts", "it answered what was not asked"),
    QT_TRANSLATE_NOOP("Hosts", "it said nothing for %1 s"),
    QT_TRANSLATE_NOOP("Hosts",
                      "The program sfumato-worker is not installed: going on with the scalar "
                      "reference, which is slow."),
};

// Made of a category's name, which is translated by itself.
constexpr const char* category_blurb =
    QT_TRANSLATE_NOOP("Hosts", "%1: filters with a live preview");

QRegularExpression pattern_of(const QString& text) {
  QString pattern = QRegularExpression::escape(text);
  pattern.replace(QLatin1String("\\%1"), QLatin1String("(.+?)"));
  return QRegularExpression(QRegularExpression::anchoredPattern(pattern));
}

QString said(const char* text) {
  return QCoreApplication::translate("Hosts", text);
}

QString translated(const QString& sentence) {
  static const std::vector<QRegularExpression> patterns = [] {
    std::vector<QRegularExpression> made;
    for (const char* text : templates) made.push_back(pattern_of(QLatin1String(text)));
    return made;
  }();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto match = patterns[i].match(sentence);
    if (!match.hasMatch()) continue;
    const QString out = said(templates[i]);
    return out.contains(QLatin1String("%1")) ? out.arg(translated(match.captured(1))) : out;
  }
  static const QRegularExpression blurb = pattern_of(QLatin1String(category_blurb));
  if (const auto match = blurb.match(sentence); match.hasMatch()) {
    return said(category_blurb).arg(gui::model_text(match.captured(1).toStdString()));
  }
  return gui::core_text(sentence);
}

}  // namespace

void name_program() {
  QCoreApplication::setOrganizationName(QStringLiteral("sfumato"));
  QCoreApplication::setApplicationName(QStringLiteral("sfumato-editor"));
  QCoreApplication::setApplicationVersion(QStringLiteral(SFUMATO_VERSION));
}

Language::Language() {
  if (QCoreApplication::instance() != nullptr) return;
  static char name[] = "sfumato";
  static char* words[] = {name, nullptr};
  static int count = 1;
  name_program();
  made_ = std::make_unique<QCoreApplication>(count, words);
  gui::install_translations(gui::Settings::load().language);
}

Language::~Language() = default;

std::string user_text(const std::string& sentences) {
  QStringList out;
  for (const QString& line : QString::fromStdString(sentences).split(QLatin1Char('\n'))) {
    out << translated(line);
  }
  return out.join(QLatin1Char('\n')).toStdString();
}

std::vector<Sentence> sentences() {
  std::vector<Sentence> out;
  for (const char* text : templates) out.push_back({text, said(text).toStdString()});
  for (const gui::CoreSentence& known : gui::core_sentences()) {
    out.push_back({known.said.toStdString(), known.shown.toStdString()});
  }
  return out;
}

std::string filter_text(const std::string& label) {
  return gui::model_text(label, TextKind::filter).toStdString();
}

std::string choice_text(const std::string& label) {
  return gui::model_text(label, TextKind::choice).toStdString();
}

std::string model_text(const std::string& text) {
  return gui::model_text(text).toStdString();
}

}  // namespace sfumato::hosts
