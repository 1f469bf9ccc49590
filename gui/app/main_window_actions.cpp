// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Menus, toolbar and shortcuts.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>
#include <QWhatsThis>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/preferences_dialog.hpp"
#include "app/preset_menu.hpp"
#include "document/background.hpp"
#include "engine/presets.hpp"
#include "params/keyboard.hpp"
#include "params/model_text.hpp"
#include "preview/exposure_slider.hpp"
#include "preview/preview_view.hpp"
#include "preview/spectrum_view.hpp"

namespace sfumato::gui {

QAction* MainWindow::add_action(QMenu& menu, const QString& text, const QKeySequence& keys,
                                Body body) {
  QAction* action = menu.addAction(text);
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, std::move(body));
  return action;
}

void MainWindow::make_actions() {
  make_file_menu();
  make_edit_menu();
  make_view_menu();
  presets_ = new PresetMenu(document_, user_preset_folder(), this);
  menuBar()->addMenu(presets_);
  make_help_menu();
  make_tool_bar();
}

void MainWindow::make_file_menu() {
  QMenu& file = *menuBar()->addMenu(tr("&File"));
  add_action(file, tr("&New window"), QKeySequence::New, [this] { Q_EMIT window_wanted({}); });
  open_action_ = add_action(file, tr("&Open…"), QKeySequence::Open, [this] { choose_picture(); });
  recent_ = file.addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
#ifdef SFUMATO_VIDEO
  add_action(file, tr("Open &video or camera…"), QKeySequence(tr("Ctrl+Shift+V")),
             [this] { open_video(); });
#endif
  file.addSeparator();
  add_action(file, tr("Open rec&ipe…"), QKeySequence(tr("Ctrl+Shift+O")),
             [this] { choose_recipe(); });
  save_recipe_action_ =
      add_action(file, tr("&Save recipe…"), QKeySequence::Save, [this] { choose_recipe_target(); });
  file.addSeparator();
  export_action_ = add_action(file, tr("&Export…"), QKeySequence(tr("Ctrl+E")),
                              [this] { choose_export_target(); });
  // Ctrl+E alone means "end of line" in text fields.
  export_action_->setShortcuts({QKeySequence(tr("Ctrl+E")), QKeySequence(tr("Ctrl+Shift+E"))});
  add_action(file, tr("&Batch…"), QKeySequence(tr("Ctrl+Shift+B")), [this] {
    commit_editing();
    Q_EMIT batch_wanted();
  });
  file.addSeparator();
  add_action(file, tr("&Close"), QKeySequence::Close, [this] { close(); });
  add_action(file, tr("&Quit"), QKeySequence(tr("Ctrl+Q")),
             [] { QApplication::closeAllWindows(); });
}

void MainWindow::fill_recent() {
  recent_->clear();
  recent_->setToolTipsVisible(true);
  int number = 0;
  for (const QString& path : QSettings().value(QStringLiteral("recent_files")).toStringList()) {
    const QString text = ++number < 10 ? QStringLiteral("&%1 %2") : QStringLiteral("%1 %2");
    recent_
        ->addAction(text.arg(number).arg(menu_text(QFileInfo(path).fileName())), this,
                    [this, path] { open_file(path); })
        ->setToolTip(plain_tip(path));
  }
  if (recent_->isEmpty()) recent_->addAction(tr("None yet"))->setEnabled(false);
  fill_mnemonics(*recent_);
}

void MainWindow::make_edit_menu() {
  QMenu& edit = *menuBar()->addMenu(tr("&Edit"));
  make_undo_actions(edit);
  edit.addSeparator();
  add_action(edit, tr("&Paste a picture"), QKeySequence::Paste, [this] { paste(); });
  edit.addSeparator();
  add_action(edit, tr("&Find a filter"), QKeySequence::Find, [this] { browser_->focus_search(); });
  step_actions_ = {
      add_action(edit, tr("&Duplicate step"), QKeySequence(tr("Ctrl+D")),
                 [this] { document_.duplicate_step(document_.current()); }),
      add_action(edit, tr("Re&move step"), QKeySequence(tr("Ctrl+Backspace")),
                 [this] { document_.remove_step(document_.current()); }),
      add_action(edit, tr("M&ove step up"), QKeySequence(tr("Ctrl+Up")),
                 [this] { document_.move_step(document_.current(), document_.current() - 1); }),
      add_action(edit, tr("Mo&ve step down"), QKeySequence(tr("Ctrl+Down")),
                 [this] { document_.move_step(document_.current(), document_.current() + 1); }),
      add_action(edit, tr("&Switch step on or off"), QKeySequence(tr("Ctrl+B")),
                 [this] {
                   const auto at = static_cast<std::size_t>(document_.current());
                   document_.set_enabled(document_.current(),
                                         !document_.recipe().steps[at].enabled);
                 }),
      add_action(edit, tr("R&eset parameters"), QKeySequence(tr("Ctrl+Shift+R")),
                 [this] { document_.reset_step(document_.current()); }),
  };
  edit.addSeparator();
  add_action(edit, tr("Preferen&ces…"), QKeySequence(tr("Ctrl+,")), [this] { show_preferences(); });
}

// The menu names the change to undo; the toolbar's width must not vary.
void MainWindow::make_undo_actions(QMenu& edit) {
  QUndoStack& stack = document_.undo_stack();
  undo_action_ =
      add_action(edit, tr("&Undo"), QKeySequence::Undo, [this] { document_.undo_stack().undo(); });
  redo_action_ =
      add_action(edit, tr("&Redo"), QKeySequence::Redo, [this] { document_.undo_stack().redo(); });
  undo_action_->setIconText(tr("Undo"));
  redo_action_->setIconText(tr("Redo"));
  undo_action_->setEnabled(false);
  redo_action_->setEnabled(false);
  connect(&stack, &QUndoStack::canUndoChanged, undo_action_, &QAction::setEnabled);
  connect(&stack, &QUndoStack::canRedoChanged, redo_action_, &QAction::setEnabled);
  connect(&stack, &QUndoStack::undoTextChanged, this, [this](const QString& what) {
    undo_action_->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(what));
  });
  connect(&stack, &QUndoStack::redoTextChanged, this, [this](const QString& what) {
    redo_action_->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(what));
  });
}

void MainWindow::make_view_menu() {
  view_menu_ = menuBar()->addMenu(tr("&View"));
  QMenu& view = *view_menu_;
  auto* modes = new QActionGroup(this);
  const auto mode = [&](const QString& text, Qt::Key key, PreviewMode which) {
    QAction* action =
        add_action(view, text, QKeySequence(key), [this, which] { preview_->set_mode(which); });
    action->setCheckable(true);
    action->setChecked(which == PreviewMode::split);
    modes->addAction(action);
    mode_actions_ << action;
  };
  mode(tr("&Split"), Qt::Key_F6, PreviewMode::split);
  mode(tr("Side &by side"), Qt::Key_F7, PreviewMode::side_by_side);
  mode(tr("&Result only"), Qt::Key_F8, PreviewMode::single);
  view.addSeparator();
  fit_action_ =
      add_action(view, tr("&Fit"), QKeySequence(tr("Ctrl+0")), [this] { preview_->fit(); });
  full_action_ =
      add_action(view, tr("&1:1"), QKeySequence(tr("Ctrl+1")), [this] { preview_->zoom_full(); });
  add_action(view, tr("Zoom &in"), QKeySequence::ZoomIn, [this] { preview_->zoom_in(); });
  add_action(view, tr("Zoom &out"), QKeySequence::ZoomOut, [this] { preview_->zoom_out(); });
  view.addSeparator();
  add_action(view, tr("Compare &variants…"), QKeySequence(tr("Ctrl+K")),
             [this] { open_comparison(); });
  add_action(view, tr("R&ender again"), QKeySequence(Qt::Key_F5),
             [this] { preview_->render_again(); });
  cancel_action_ = add_action(view, tr("&Cancel rendering"), QKeySequence(Qt::Key_Escape),
                              [this] { preview_->cancel_render(); });
  // Otherwise Escape is used elsewhere.
  cancel_action_->setEnabled(false);
  connect(&renderer_, &PreviewRenderer::started, cancel_action_,
          [this] { cancel_action_->setEnabled(true); });
  connect(&renderer_, &PreviewRenderer::idle, cancel_action_,
          [this] { cancel_action_->setEnabled(renderer_.is_busy()); });
  view.addSeparator();
  int number = 0;
  for (QDockWidget* dock : findChildren<QDockWidget*>()) {
    QAction* toggle = dock->toggleViewAction();
    toggle->setShortcut(QKeySequence(tr("Alt+%1", "a dock's number").arg(++number)));
    view.addAction(toggle);
  }
  fill_mnemonics(view);
}

void MainWindow::make_help_menu() {
  QMenu& help = *menuBar()->addMenu(tr("&Help"));
  add_action(help, tr("&User guide"), QKeySequence(Qt::Key_F1), [this] { show_guide(); });
  add_action(help, tr("&What’s this?"), QKeySequence(tr("Shift+F1")),
             [] { QWhatsThis::enterWhatsThisMode(); });
  help.addSeparator();
  add_action(help, tr("&About Sfumato"), QKeySequence(tr("Ctrl+F1")), [this] { show_about(); });
}

void MainWindow::show_guide() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("User guide"));
  auto* text = new QTextBrowser(dialog);
  text->setAccessibleName(tr("User guide"));
  text->setOpenExternalLinks(true);
  text->setFrameShape(QFrame::NoFrame);
  QFile file(QStringLiteral(":/GUIDE.md"));
  if (file.open(QIODevice::ReadOnly)) {
    static const QRegularExpression pictures(QStringLiteral("!\\[[^]]*\\]\\([^)]*\\)"));
    text->setMarkdown(QString::fromUtf8(file.readAll()).remove(pictures));
  }
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(text);
  dialog->resize(720, 640);
  dialog->show();  // beside the window, to be read while working
}

void MainWindow::make_tool_bar() {
  QToolBar* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar->addActions({open_action_, export_action_});
  bar->addSeparator();
  bar->addActions({undo_action_, redo_action_});
  bar->addSeparator();
  bar->addActions(mode_actions_);
  bar->addSeparator();
  bar->addActions({fit_action_, full_action_});
  layers_ = new QComboBox(this);
  layers_->setAccessibleName(tr("Layer"));
  layers_->setToolTip(tr("The layer of the file to use as the picture"));
  layers_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(layers_, &QComboBox::activated, this,
          [this] { open_layer(layers_->currentData().toString().toStdString()); });
  layers_action_ = bar->addWidget(layers_);
  layers_action_->setVisible(false);
  auto* gap = new QWidget(this);
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(gap);
  exposure_ = new ExposureSlider(this);
  exposure_->setMaximumWidth(280);
  bar->addWidget(exposure_);
  connect(exposure_, &ExposureSlider::changed, preview_, &PreviewView::set_exposure);
}

void MainWindow::show_preferences() {
  PreferencesDialog dialog(settings_, this);
  if (dialog.exec() != QDialog::Accepted || dialog.settings() == settings_) return;
  const Settings chosen = dialog.settings();
  chosen.save();
  // A device chosen here overrides the command line's.
  if (chosen.device != settings_.device) Settings::use_for_this_run({});
  apply_theme(chosen.theme);
  take_settings(chosen);
  for (QWidget* top : QApplication::topLevelWidgets()) {
    auto* other = qobject_cast<MainWindow*>(top);
    if (other != nullptr && other != this) other->take_settings(chosen);
  }
}

void MainWindow::take_settings(const Settings& settings) {
  const Settings before = std::exchange(settings_, settings);
  if (before.device != settings_.device || before.memory_mb != settings_.memory_mb) {
    renderer_.set_session(settings_.session());
    spectrum_->set_session(settings_.session());
    preview_->render_again();  // shows the other device's result
  }
  use_screen_profile();
  Q_EMIT settings_changed(settings_);
}

void MainWindow::show_about() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("About Sfumato"));
  auto* text = new QLabel(tr("<h3>Sfumato %1</h3>Filters on OpenCL, the same everywhere. "
                             "Apache License 2.0.<br>For a bug report:")
                              .arg(QApplication::applicationVersion()),
                          dialog);
  auto* report = new QPlainTextEdit(tr("Looking at the devices…"), dialog);
  report->setReadOnly(true);
  report->setAccessibleName(tr("Versions of the program, libraries and drivers"));
  report->setMinimumSize(520, 140);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  connect(copy, &QPushButton::clicked, report,
          [report] { QApplication::clipboard()->setText(report->toPlainText()); });
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(text);
  layout->addWidget(report, 1);
  layout->addWidget(buttons);
  in_background(
      dialog, [] { return system_report(); },
      [report](const QString& lines) { report->setPlainText(lines); });
  dialog->open();
}

}  // namespace sfumato::gui
