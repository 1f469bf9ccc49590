// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opens windows for files, for other windows and for recovered work.
#include "app/editor_windows.hpp"

#include <QApplication>
#include <QTimer>
#include <algorithm>
#include <chrono>

#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "batch/batch_window.hpp"

namespace sfumato::gui {
namespace {

constexpr QLatin1String batch_word("--batch"), recipe_word("--recipe");
constexpr auto until_asked_again = std::chrono::milliseconds(200);

}  // namespace

EditorWindows::~EditorWindows() {
  delete batch_;
  for (MainWindow* window : windows()) delete window;
}

QList<MainWindow*> EditorWindows::windows() const {
  QList<MainWindow*> all;
  for (const QPointer<MainWindow>& window : windows_) {
    if (window) all << window;
  }
  return all;
}

MainWindow* EditorWindows::open_window() {
  auto* window = new MainWindow(Settings::load());
  window->setAttribute(Qt::WA_DeleteOnClose);
  windows_.removeAll(QPointer<MainWindow>());
  windows_ << window;
  connect(window, &MainWindow::window_wanted, this, [this](const QString& path) {
    MainWindow* other = open_window();
    if (!path.isEmpty()) other->open_file(path);
  });
  connect(window, &MainWindow::restore_wanted, this,
          [this](const RecoveredWork& found) { open_window()->restore(found); });
  connect(window, &MainWindow::batch_wanted, this,
          [this, window] { open_batch().offer_steps(window->document().recipe()); });
  connect(window, &MainWindow::settings_changed, this, [this](const Settings& settings) {
    if (batch_) batch_->take_settings(settings);
  });
  window->show();
  return window;
}

BatchWindow& EditorWindows::open_batch(const QString& recipe, const QStringList& files) {
  if (!batch_) {
    batch_ = new BatchWindow(Settings::load());
    batch_->setAttribute(Qt::WA_DeleteOnClose);
    connect(batch_, &BatchWindow::open_wanted, this,
            [this](const QString& path) { open_files({path}); });
  }
  if (!recipe.isEmpty()) batch_->take_recipe(recipe);
  if (!files.isEmpty()) batch_->add(files);
  batch_->show();
  batch_->raise();
  batch_->activateWindow();
  return *batch_;
}

void EditorWindows::take(const QStringList& words) {
  // A new window would receive no input while a dialog waits for an answer.
  if (QWidget* dialog = QApplication::activeModalWidget()) {
    dialog->activateWindow();
    QTimer::singleShot(until_asked_again, this, [this, words] { take(words); });
    return;
  }
  if (words.isEmpty() || words.front() != batch_word) return open_files(words);
  const bool recipe = words.value(1) == recipe_word;
  open_batch(recipe ? words.value(2) : QString(), words.mid(recipe ? 3 : 1));
}

void EditorWindows::open_files(const QStringList& files) {
  const QList<MainWindow*> there = windows();
  const auto vacant =
      std::find_if(there.begin(), there.end(), [](MainWindow* one) { return one->is_vacant(); });
  MainWindow* window = vacant != there.end() ? *vacant : open_window();
  bool taken = false;
  for (const QString& file : files) {
    const bool recipe = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    if (taken && !recipe) window = open_window();
    taken = taken || !recipe;
    window->open_file(file);
  }
  window->raise();
  window->activateWindow();
}

void EditorWindows::tell(const QStringList& sentences) {
  if (sentences.isEmpty()) return;
  const QList<MainWindow*> there = windows();
  if (there.empty() && !batch_) return;
  MessageBar& bar = there.empty() ? batch_->messages() : there.front()->messages();
  bar.say_warning(Topic::program, sentences.join(QLatin1Char('\n')));
}

void EditorWindows::offer_recovery(const QString& folder) {
  const QList<MainWindow*> there = windows();
  if (!there.empty()) there.front()->offer_recovery(folder);
}

}  // namespace sfumato::gui
