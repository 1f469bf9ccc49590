// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-editor [--device D] [--new-instance] [--batch [--recipe RECIPE]] [FILE...]
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QIcon>
#include <cstdlib>
#include <cstring>

#include "app/editor_windows.hpp"
#include "app/single_instance.hpp"
#include "engine/start.hpp"
#include "params/core_text.hpp"
#include "params/translation.hpp"

int main(int argc, char** argv) {
  sfumato::begin_program(argc, argv);
  // Before the first thread, which Qt may start: drivers and folders are named by the environment.
  const char* named = std::getenv("SFUMATO_DEVICE");
  const bool reference = named != nullptr && std::strcmp(named, "reference") == 0;
  const sfumato::Start start = reference ? sfumato::Start() : sfumato::start_opencl();
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("sfumato-editor"));
  QApplication::setApplicationDisplayName(QStringLiteral("Sfumato"));
  QApplication::setOrganizationName(QStringLiteral("sfumato"));
  QApplication::setApplicationVersion(QStringLiteral(SFUMATO_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("sfumato-editor"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/sfumato-editor.png")));

  const auto settings = sfumato::gui::Settings::load();
  sfumato::gui::install_translations(settings.language);

  QCommandLineParser parser;
  parser.setApplicationDescription(
      QCoreApplication::translate("main", "Filters pictures, with a live preview."));
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption device(
      QStringLiteral("device"),
      QCoreApplication::translate("main",
                                  "The OpenCL device: auto, gpu, cpu, reference or a name."),
      QStringLiteral("device"));
  const QCommandLineOption alone(
      QStringLiteral("new-instance"),
      QCoreApplication::translate("main", "Runs beside an editor that is open already."));
  const QCommandLineOption batch(
      QStringLiteral("batch"),
      QCoreApplication::translate("main", "Opens the batch window, for many files and folders."));
  const QCommandLineOption recipe(
      QStringLiteral("recipe"),
      QCoreApplication::translate("main", "The batch's recipe: a file, or a preset's name."),
      QStringLiteral("recipe"));
  parser.addOptions({device, alone, batch, recipe});
  parser.addPositionalArgument(
      QStringLiteral("files"),
      QCoreApplication::translate("main", "Pictures, and recipes to apply."),
      QStringLiteral("[files...]"));
  parser.process(app);

  QStringList words;
  if (parser.isSet(batch) || parser.isSet(recipe)) words << QStringLiteral("--batch");
  if (parser.isSet(recipe)) {
    const QFileInfo file(parser.value(recipe));
    words << QStringLiteral("--recipe")
          << (file.exists() ? file.absoluteFilePath() : parser.value(recipe));
  }
  for (const QString& path : parser.positionalArguments()) {
    words << QFileInfo(path).absoluteFilePath();
  }
  sfumato::gui::SingleInstance instance;
  const bool single = !parser.isSet(alone) && !parser.isSet(device);
  if (single && instance.hand_over(words)) return 0;
  if (single) instance.listen();
  if (parser.isSet(device)) sfumato::gui::Settings::use_for_this_run(parser.value(device));

  sfumato::gui::apply_theme(settings.theme);
  sfumato::gui::EditorWindows windows;
  QObject::connect(&instance, &sfumato::gui::SingleInstance::words_given, &windows,
                   &sfumato::gui::EditorWindows::take);
  windows.take(words);
  QStringList told;
  for (const std::string& sentence : start.sentences) told << sfumato::gui::core_text(sentence);
  windows.tell(told);
  windows.offer_recovery();
  return QApplication::exec();
}
