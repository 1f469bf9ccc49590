// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-editor [--device D] [FILE...]
#include <QApplication>
#include <QCommandLineParser>

#include "app/main_window.hpp"

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("sfumato-editor"));
  QApplication::setApplicationDisplayName(QStringLiteral("Sfumato"));
  QApplication::setOrganizationName(QStringLiteral("sfumato"));
  QApplication::setApplicationVersion(QStringLiteral(SFUMATO_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("sfumato-editor"));

  QCommandLineParser parser;
  parser.setApplicationDescription(
      QCoreApplication::translate("main", "Filters pictures, with a live preview."));
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption device(
      QStringLiteral("device"),
      QCoreApplication::translate("main",
                                  "The OpenCL device: auto, gpu, cpu, reference or a name."),
      QStringLiteral("device"), QStringLiteral("auto"));
  parser.addOption(device);
  parser.addPositionalArgument(
      QStringLiteral("files"),
      QCoreApplication::translate("main", "A picture, and recipes to apply."),
      QStringLiteral("[files...]"));
  parser.process(app);

  sfumato::gui::MainWindow window(parser.value(device).toStdString());
  window.show();
  for (const QString& path : parser.positionalArguments()) window.open_file(path);
  return QApplication::exec();
}
