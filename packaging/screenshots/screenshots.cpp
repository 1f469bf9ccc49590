// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's windows as PNG, one file for each mode of the preview and each dialog.
// Usage: sfumato-screenshots PICTURE FOLDER light|dark
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QStandardPaths>
#include <QTimer>
#include <cstdio>

#include "app/export_dialog.hpp"
#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/preferences_dialog.hpp"
#include "dialog/filter_dialog.hpp"
#include "filters/registry.hpp"
#include "preview/preview_view.hpp"
#include "preview/spectrum_view.hpp"
#include "preview/thumbnails.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

constexpr int patience_ms = 180000;

void wait_for(const std::function<bool()>& done) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < patience_ms) {
    QApplication::processEvents(QEventLoop::AllEvents, 20);
  }
}

// Waits until nothing has been running for a moment.
void settle(const QWidget& window) {
  const auto* preview = window.findChild<PreviewView*>();
  QElapsedTimer quiet;
  quiet.start();
  wait_for([&] {
    if (preview != nullptr && preview->is_busy()) quiet.start();
    return quiet.elapsed() > 1500;
  });
}

// Chooses a mode as the user would, so that the toolbar shows it.
void press(MainWindow& window, Qt::Key key) {
  for (QAction* action : window.findChildren<QAction*>()) {
    if (action->shortcut() == QKeySequence(key)) action->trigger();
  }
}

class Camera {
 public:
  explicit Camera(QString folder) : folder_(std::move(folder)) {}

  void take(QWidget& window, const char* name) {
    settle(window);
    const QString file = folder_ + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png");
    if (!window.grab().save(file)) {
      std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
      std::exit(1);
    }
  }

 private:
  QString folder_;
};

void raise_dock(MainWindow& window, const char* name) {
  window.findChild<QDockWidget*>(QLatin1String(name))->raise();
}

void take_modes(MainWindow& window, Camera& camera) {
  Document& document = window.document();
  // The scene is a noisy render with normals in the same file; a photograph has none.
  const bool render = document.picture()->all_channels.size() > 4;
  document.add_step(render ? "median" : "bilateral");
  document.add_step("bilateral");
  document.set_value(1, "sigma", 6.0, true);
  camera.take(window, "split");
  press(window, Qt::Key_F7);
  camera.take(window, "side-by-side");
  press(window, Qt::Key_F8);
  raise_dock(window, "navigator");
  window.preview().zoom_full();
  camera.take(window, "result");
  press(window, Qt::Key_F6);
  window.preview().fit();
  document.add_step("gaussian");
  raise_dock(window, "spectrum");
  wait_for([&] { return !window.spectrum().after().isNull(); });  // it runs after the preview
  camera.take(window, "spectrum");
  raise_dock(window, "histogram");
  document.add_step("gradient_map");
  camera.take(window, "gradient");
  document.undo_stack().undo();
  document.add_step("convolve");
  camera.take(window, "matrix");
}

}  // namespace

int main(int argc, char** argv) {
  QStandardPaths::setTestModeEnabled(true);
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("sfumato-screenshots"));
  const QStringList arguments = QApplication::arguments();
  if (arguments.size() != 4) {
    std::fputs("usage: sfumato-screenshots PICTURE FOLDER light|dark\n", stderr);
    return 2;
  }
  QDir().mkpath(arguments[2]);
  Camera camera(arguments[2]);
  apply_theme(arguments[3] == QLatin1String("dark") ? Theme::dark : Theme::light);

  MainWindow window;
  window.resize(1280, 800);
  window.show();
  camera.take(window, "empty");
  QString fault;
  bool opened = false, tried = false;
  QObject::connect(&window, &MainWindow::opened, [&](const QString& said) {
    fault = said;
    opened = true;
  });
  QObject::connect(&window.browser().thumbnails(), &Thumbnails::finished, [&] { tried = true; });
  window.open_file(arguments[1]);
  wait_for([&] { return opened; });
  if (!window.document().picture()) {
    std::fprintf(stderr, "%s\n", qPrintable(fault));
    return 1;
  }
  wait_for([&] { return tried; });
  take_modes(window, camera);
  window.document().undo_stack().setClean();

  const PicturePtr picture = window.document().picture();
  FilterDialog filter(picture, "unsharp_mask");
  filter.show();
  camera.take(filter, "filter-dialog");
  ExportDialog exporting(*picture, QStringLiteral("picture-filtered.tif"));
  exporting.show();
  camera.take(exporting, "export");
  PreferencesDialog preferences(Settings{});
  preferences.show();
  camera.take(preferences, "preferences");
  return 0;
}
