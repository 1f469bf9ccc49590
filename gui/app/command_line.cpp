// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Options of the editor, listed once.
#include "app/command_line.hpp"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <string_view>

#include "batch/completion_writer.hpp"
#include "batch/inputs.hpp"

namespace sfumato::gui {
namespace {

struct Option {
  const char* name;
  const char* value;  ///< "" for a switch
  const char* help;
};

constexpr std::array options = {
    Option{"device", "device",
           QT_TRANSLATE_NOOP("main", "The OpenCL device: auto, gpu, cpu, reference or a name.")},
    Option{"new-instance", "",
           QT_TRANSLATE_NOOP("main", "Starts a separate editor even if one is running.")},
    Option{"batch", "",
           QT_TRANSLATE_NOOP("main", "Opens the batch window, for many files and folders.")},
    Option{"recipe", "recipe",
           QT_TRANSLATE_NOOP("main", "The recipe of the batch: a file, or the name of a preset.")}};

void offer_value(const CompletionWriter& offers, const QString& option) {
  if (option == QLatin1String("--device")) return complete_devices(offers);
  complete_presets(offers);
  offers.files({"json"});
}

bool takes_value(const QString& option) {
  return option == QLatin1String("--device") || option == QLatin1String("--recipe");
}

void set_up(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      QCoreApplication::translate("main", "Filters pictures, with a live preview."));
  parser.addHelpOption();
  parser.addVersionOption();
  for (const Option& o : options) {
    parser.addOption({QString::fromUtf8(o.name), QCoreApplication::translate("main", o.help),
                      QString::fromUtf8(o.value)});
  }
  parser.addPositionalArgument(
      QStringLiteral("files"),
      QCoreApplication::translate("main", "Pictures, and recipes to apply."),
      QStringLiteral("[files...]"));
}

CommandLine line_of(const QCommandLineParser& parser) {
  const auto text = [&](const char* name) { return parser.value(QString::fromUtf8(name)); };
  const auto has = [&](const char* name) { return parser.isSet(QString::fromUtf8(name)); };
  CommandLine line;
  line.device = text("device");
  line.alone = has("new-instance");
  if (has("batch") || has("recipe")) line.words << QStringLiteral("--batch");
  if (has("recipe")) {
    const QFileInfo file(text("recipe"));
    line.words << QStringLiteral("--recipe")
               << (file.exists() ? file.absoluteFilePath() : text("recipe"));
  }
  for (const QString& path : parser.positionalArguments()) {
    line.words << QFileInfo(path).absoluteFilePath();
  }
  return line;
}

}  // namespace

bool only_speaks(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
    return word == "-h" || word == "--help" || word == "--help-all" || word == "-v" ||
           word == "--version" || word == "--complete" || word == "--complete-described";
  });
}

void print_completions(const QStringList& given, bool described) {
  QStringList words = given;
  const QString equals = QStringLiteral("=");
  // Bash splits "--recipe=se" into three words.
  if (!words.isEmpty() && words.last() == equals) words << QString();
  if (words.size() > 2 && words[words.size() - 2] == equals) words.removeAt(words.size() - 2);
  if (words.isEmpty()) return;
  const QString partial = words.takeLast();
  CompletionWriter offers(partial.toStdString(), described);
  const qsizetype equal_sign = partial.indexOf(QLatin1Char('='));
  if (partial.startsWith(QLatin1String("--")) && takes_value(partial.left(equal_sign)) &&
      equal_sign > 0) {
    offers.cut_option(partial.left(equal_sign).toStdString());
    return offer_value(offers, partial.left(equal_sign));
  }
  if (!words.isEmpty() && takes_value(words.last())) return offer_value(offers, words.last());
  if (partial.startsWith(QLatin1Char('-'))) {
    for (const Option& o : options) offers.word(std::string("--") + o.name, o.help);
    offers.word("--help", "Lists the options.");
    offers.word("--version", "Prints the version, the commit and the libraries.");
    return;
  }
  std::set<std::string> extensions = picture_extensions();
  extensions.insert("json");
  offers.files(extensions);
}

CommandLine read_command_line() {
  QCommandLineParser parser;
  set_up(parser);
  parser.process(*QCoreApplication::instance());
  return line_of(parser);
}

std::optional<CommandLine> command_line_if_plain() {
  QCommandLineParser parser;
  set_up(parser);
  if (!parser.parse(QCoreApplication::arguments())) return std::nullopt;
  return line_of(parser);
}

}  // namespace sfumato::gui
