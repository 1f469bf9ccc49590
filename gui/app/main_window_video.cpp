// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's window for movies.
#include "app/main_window.hpp"
#include "app/video_window.hpp"

namespace sfumato::gui {

VideoWindow& MainWindow::video() {
  if (auto* window = qobject_cast<VideoWindow*>(video_.data())) return *window;
  // Beside this window rather than on top: both are used together.
  auto* window = new VideoWindow(settings_);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->set_recipe(document_.recipe());
  connect(&document_, &Document::recipe_changed, window,
          [this, window] { window->set_recipe(document_.recipe()); });
  connect(this, &MainWindow::settings_changed, window, &VideoWindow::take_settings);
  video_ = window;
  return *window;
}

void MainWindow::open_video(const QString& path) {
  VideoWindow& window = video();
  window.show();
  window.raise();
  window.activateWindow();
  if (path.isEmpty()) return;
  window.open(path);
  remember(path);
  Q_EMIT opened({});
}

bool MainWindow::video_may_go() {
  if (!video_ || video_->close()) return true;
  video_->raise();
  video_->activateWindow();
  return false;
}

}  // namespace sfumato::gui
