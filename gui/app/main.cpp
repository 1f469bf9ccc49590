// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-editor [--device D] [--new-instance] [FILE...]
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>

#include "app/main_window.hpp"
#include "app/single_instance.hpp"
#include "params/translation.hpp"

namespace {

using sfumato::gui::MainWindow;
using sfumato::gui::Settings;

// A window that goes when it is closed, and opens others.
MainWindow* open_window(const Settings& settings) {
  auto* window = new MainWindow(settings);
  window->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(window, &MainWindow::window_wanted, qApp, [](const QString& path) {
    MainWindow* other = open_window(Settings::load());
    if (!path.isEmpty()) other->open_file(path);
  });
  window->show();
  return window;
}

// The window for the first of these files, and one more for every further picture; recipes go to
// the last window that was opened. An empty window is used before a new one is made.
void open_files(const Settings& settings, const QStringList& files) {
  MainWindow* window = nullptr;
  for (QWidget* top : QApplication::topLevelWidgets()) {
    auto* candidate = qobject_cast<MainWindow*>(top);
    if (candidate != nullptr && !candidate->document().picture()) window = candidate;
  }
  if (window == nullptr) window = open_window(settings);
  bool taken = false;
  for (const QString& file : files) {
    const bool recipe = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    if (taken && !recipe) window = open_window(settings);
    taken = taken || !recipe;
    window->open_file(file);
  }
  window->raise();
  window->activateWindow();
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("sfumato-editor"));
  QApplication::setApplicationDisplayName(QStringLiteral("Sfumato"));
  QApplication::setOrganizationName(QStringLiteral("sfumato"));
  QApplication::setApplicationVersion(QStringLiteral(SFUMATO_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("sfumato-editor"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/sfumato-editor.png")));

  Settings settings = Settings::load();
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
  parser.addOptions({device, alone});
  parser.addPositionalArgument(
      QStringLiteral("files"),
      QCoreApplication::translate("main", "Pictures, and recipes to apply."),
      QStringLiteral("[files...]"));
  parser.process(app);

  QStringList files;
  for (const QString& path : parser.positionalArguments()) {
    files << QFileInfo(path).absoluteFilePath();
  }
  sfumato::gui::SingleInstance instance;
  const bool single = !parser.isSet(alone) && !parser.isSet(device);
  if (single && instance.hand_over(files)) return 0;
  if (single) instance.listen();
  if (parser.isSet(device)) Settings::use_for_this_run(parser.value(device));

  sfumato::gui::apply_theme(settings.theme);
  QObject::connect(&instance, &sfumato::gui::SingleInstance::files_given, &app,
                   [&](const QStringList& given) { open_files(Settings::load(), given); });
  open_files(settings, files);
  for (QWidget* top : QApplication::topLevelWidgets()) {
    if (auto* window = qobject_cast<MainWindow*>(top)) window->offer_recovery();
  }
  return QApplication::exec();
}
