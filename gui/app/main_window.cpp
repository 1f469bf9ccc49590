// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The window put together; files opened, saved and exported.
#include "app/main_window.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QSaveFile>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/filter_browser.hpp"
#include "app/message_bar.hpp"
#include "app/stack_view.hpp"
#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "params/model_text.hpp"
#include "params/parameter_panel.hpp"
#include "preview/preview_view.hpp"

namespace sfumato::gui {
namespace {

constexpr int most_recent = 12;

SessionOptions session_on(const std::string& device) {
  SessionOptions options;
  options.device = device;
  return options;
}

std::filesystem::path native(const QString& path) {
  return std::filesystem::path(QFile::encodeName(path).toStdString());
}

QString recent_key() {
  return QStringLiteral("recent_files");
}

}  // namespace

MainWindow::MainWindow(const std::string& device, QWidget* parent)
    : QMainWindow(parent),
      device_(device),
      renderer_(session_on(device)),
      preview_(new PreviewView(renderer_, this)),
      messages_(new MessageBar(this)) {
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(messages_);
  layout->addWidget(preview_, 1);
  setCentralWidget(centre);
  setAcceptDrops(true);
  make_docks();
  make_actions();
  make_status_bar();
  resize(1320, 840);

  connect(&document_, &Document::recipe_changed, this,
          [this] { preview_->set_recipe(document_.recipe()); });
  connect(&document_, &Document::current_changed, this, &MainWindow::show_current_step);
  connect(&document_, &Document::stack_changed, this, &MainWindow::show_current_step);
  connect(&document_, &Document::values_changed, this, [this](int step) {
    if (step != document_.current()) return;
    parameters_->set_values(document_.recipe().steps[static_cast<std::size_t>(step)].values);
  });
  connect(&document_.undo_stack(), &QUndoStack::cleanChanged, this, &MainWindow::update_title);
  connect(browser_, &FilterBrowser::chosen, &document_, &Document::add_step);
  connect(parameters_, &ParameterPanel::value_changed, this,
          [this](const std::string& name, const Value& value, bool finished) {
            document_.set_value(document_.current(), name, value, finished);
          });
  connect(&exporter_, &Exporter::progressed, this, [this](double part) {
    progress_->setValue(static_cast<int>(part * progress_->maximum()));
  });
  connect(
      &exporter_, &Exporter::finished, this,
      [this](bool written, const QString& fault, const QStringList& warnings) {
        progress_->hide();
        cancel_->hide();
        if (!fault.isEmpty()) {
          messages_->say_fault(fault);
        } else if (written) {
          const QString said = warnings.join(QLatin1Char('\n'));
          messages_->say_notice(said.isEmpty() ? tr("Exported.") : tr("Exported. %1").arg(said));
        }
      });
  update_title();
}

MainWindow::~MainWindow() {
  if (opening_.joinable()) opening_.join();
}

void MainWindow::make_docks() {
  const auto dock = [this](const QString& title, const char* name, QWidget* widget,
                           Qt::DockWidgetArea area) {
    auto* made = new QDockWidget(title, this);
    made->setObjectName(QLatin1String(name));
    made->setWidget(widget);
    made->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    addDockWidget(area, made);
    return made;
  };
  browser_ = new FilterBrowser(this);
  stack_ = new StackView(document_, this);
  parameters_ = new ParameterPanel(this);
  auto* left = dock(tr("Filters"), "filters", browser_, Qt::LeftDockWidgetArea);
  auto* steps = dock(tr("Steps"), "steps", stack_, Qt::LeftDockWidgetArea);
  auto* right = dock(tr("Parameters"), "parameters", parameters_, Qt::RightDockWidgetArea);
  resizeDocks({left, right}, {230, 340}, Qt::Horizontal);
  resizeDocks({left, steps}, {460, 240}, Qt::Vertical);
}

void MainWindow::make_actions() {
  const auto add = [this](QMenu* menu, const QString& text, const QKeySequence& keys, auto&& body) {
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, body);
    return action;
  };
  QMenu* file = menuBar()->addMenu(tr("&File"));
  QAction* open = add(file, tr("&Open…"), QKeySequence::Open, [this] { choose_picture(); });
  recent_ = file->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, [this] {
    recent_->clear();
    for (const QString& path : QSettings().value(recent_key()).toStringList()) {
      recent_->addAction(QFileInfo(path).fileName(), this, [this, path] { open_file(path); })
          ->setToolTip(path);
    }
    if (recent_->isEmpty()) recent_->addAction(tr("None yet"))->setEnabled(false);
  });
  file->addSeparator();
  add(file, tr("Open rec&ipe…"), QKeySequence(tr("Ctrl+Shift+O")), [this] { choose_recipe(); });
  add(file, tr("&Save recipe…"), QKeySequence::Save, [this] { choose_recipe_target(); });
  QAction* write =
      add(file, tr("&Export…"), QKeySequence(tr("Ctrl+E")), [this] { choose_export_target(); });
  file->addSeparator();
  add(file, tr("&Quit"), QKeySequence::Quit, [this] { close(); });

  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = document_.undo_stack().createUndoAction(this, tr("&Undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = document_.undo_stack().createRedoAction(this, tr("&Redo"));
  redo->setShortcut(QKeySequence::Redo);
  edit->addActions({undo, redo});
  edit->addSeparator();
  add(edit, tr("&Find a filter"), QKeySequence::Find, [this] { browser_->focus_search(); });
  add(edit, tr("&Duplicate step"), QKeySequence(tr("Ctrl+D")),
      [this] { document_.duplicate_step(document_.current()); });
  add(edit, tr("Re&move step"), QKeySequence(tr("Ctrl+Backspace")),
      [this] { document_.remove_step(document_.current()); });
  add(edit, tr("Reset &parameters"), QKeySequence(tr("Ctrl+Shift+R")),
      [this] { document_.reset_step(document_.current()); });

  QMenu* view = menuBar()->addMenu(tr("&View"));
  auto* modes = new QActionGroup(this);
  const auto mode = [&](const QString& text, const QString& keys, PreviewMode which) {
    QAction* action =
        add(view, text, QKeySequence(keys), [this, which] { preview_->set_mode(which); });
    action->setCheckable(true);
    action->setChecked(which == PreviewMode::split);
    modes->addAction(action);
    return action;
  };
  QAction* split = mode(tr("&Split"), QStringLiteral("F6"), PreviewMode::split);
  QAction* beside = mode(tr("Side &by side"), QStringLiteral("F7"), PreviewMode::side_by_side);
  QAction* single = mode(tr("&Result only"), QStringLiteral("F8"), PreviewMode::single);
  view->addSeparator();
  QAction* fit = add(view, tr("&Fit"), QKeySequence(tr("Ctrl+0")), [this] { preview_->fit(); });
  QAction* full =
      add(view, tr("1:1"), QKeySequence(tr("Ctrl+1")), [this] { preview_->zoom_full(); });
  add(view, tr("Zoom &in"), QKeySequence::ZoomIn, [this] { preview_->zoom_in(); });
  add(view, tr("Zoom &out"), QKeySequence::ZoomOut, [this] { preview_->zoom_out(); });
  make_preset_menu(*menuBar()->addMenu(tr("&Presets")));

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  add(help, tr("&About Sfumato"), {}, [this] {
    QMessageBox::about(this, tr("About Sfumato"),
                       tr("<b>Sfumato %1</b><br>Filters on OpenCL, the same everywhere.<br>Qt %2")
                           .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
  });

  QToolBar* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar->addActions({open, write});
  bar->addSeparator();
  bar->addActions({undo, redo});
  bar->addSeparator();
  bar->addActions({split, beside, single});
  bar->addSeparator();
  bar->addActions({fit, full});
}

void MainWindow::make_preset_menu(QMenu& menu) {
  connect(&menu, &QMenu::aboutToShow, this, [this, &menu] {
    menu.clear();
    const Presets presets(user_preset_folder());
    std::map<std::string, QMenu*> categories;
    for (const Preset& preset : presets.all()) {
      QMenu*& category = categories[preset.category];
      if (category == nullptr) {
        category = menu.addMenu(model_text(preset.category));
      }
      const QString name = model_text(preset.name);
      QAction* action = category->addAction(name, this, [this, preset, name] {
        try {
          document_.replace_recipe(preset.recipe(), tr("Preset %1").arg(name));
        } catch (const std::exception& error) {
          messages_->say_fault(QString::fromUtf8(error.what()));
        }
      });
      action->setToolTip(model_text(preset.summary));
      category->setToolTipsVisible(true);
    }
  });
}

void MainWindow::make_status_bar() {
  place_ = new QLabel(this);
  values_ = new QLabel(this);
  zoom_ = new QLabel(this);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 1000);
  progress_->setMaximumWidth(180);
  progress_->setAccessibleName(tr("Export progress"));
  progress_->hide();
  cancel_ = new QToolButton(this);
  cancel_->setText(tr("Cancel"));
  cancel_->hide();
  connect(cancel_, &QToolButton::clicked, this, [this] { exporter_.cancel(); });
  statusBar()->addWidget(place_);
  statusBar()->addWidget(values_, 1);
  statusBar()->addPermanentWidget(progress_);
  statusBar()->addPermanentWidget(cancel_);
  statusBar()->addPermanentWidget(zoom_);
  connect(preview_, &PreviewView::zoom_changed, this, [this](double zoom) {
    zoom_->setText(tr("%1 %").arg(zoom * 100, 0, 'f', zoom < 0.1 ? 1 : 0));
  });
  connect(preview_, &PreviewView::hovered, this,
          [this](const QString& place, const QString& before, const QString& after) {
            place_->setText(place);
            values_->setText(place.isEmpty() ? QString()
                                             : tr("before %1   after %2").arg(before, after));
          });
}

void MainWindow::show_current_step() {
  const int current = document_.current();
  if (current < 0) {
    parameters_->clear();
    return;
  }
  const Step& step = document_.recipe().steps[static_cast<std::size_t>(current)];
  parameters_->show_filter(Registry::get().at(step.filter).filter->info().parameters, step.values);
}

void MainWindow::update_title() {
  const QString name =
      document_.picture()
          ? QFileInfo(QString::fromStdString(document_.picture()->path.string())).fileName()
          : tr("no picture");
  setWindowTitle(tr("%1[*] — Sfumato").arg(name));
  setWindowModified(document_.is_modified());
}

void MainWindow::open_file(const QString& path) {
  if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) {
    open_recipe(path);
    return;
  }
  if (opening_.joinable()) opening_.join();
  opening_ = std::thread([this, path] {
    PicturePtr picture;
    QString fault;
    try {
      picture = open_whole(native(path));
    } catch (const std::exception& error) {
      fault = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, picture, fault, path] {
          if (fault.isEmpty()) remember(path);
          take_picture(picture, fault);
        },
        Qt::QueuedConnection);
  });
}

void MainWindow::take_picture(PicturePtr picture, const QString& fault) {
  if (picture) {
    document_.set_picture(picture);
    preview_->set_picture(picture);
    if (!picture->warnings.empty()) {
      messages_->say_notice(QString::fromStdString(picture->warnings.front()));
    } else {
      messages_->hide();
    }
    update_title();
  } else {
    messages_->say_fault(fault);
  }
  Q_EMIT opened(fault);
}

void MainWindow::open_recipe(const QString& path) {
  QFile file(path);
  QString fault;
  if (!file.open(QIODevice::ReadOnly)) {
    fault = tr("cannot read %1: %2").arg(path, file.errorString());
  } else {
    try {
      const std::string text = file.readAll().toStdString();
      document_.replace_recipe(
          parse_recipe(text, Registry::get(), native(QFileInfo(path).absolutePath())),
          tr("Open recipe %1").arg(QFileInfo(path).completeBaseName()));
      recipe_path_ = path;
      document_.undo_stack().setClean();
    } catch (const std::exception& error) {
      fault = QFileInfo(path).fileName() + QLatin1String(": ") + QString::fromUtf8(error.what());
    }
  }
  if (!fault.isEmpty()) messages_->say_fault(fault);
  Q_EMIT opened(fault);
}

void MainWindow::save_recipe_to(const QString& path) {
  QSaveFile file(path);
  const std::string text =
      print_recipe(document_.recipe(), Registry::get(), native(QFileInfo(path).absolutePath()));
  if (file.open(QIODevice::WriteOnly) &&
      file.write(text.data(), static_cast<qint64>(text.size())) >= 0 && file.commit()) {
    recipe_path_ = path;
    document_.undo_stack().setClean();
    messages_->say_notice(tr("Recipe saved."));
  } else {
    messages_->say_fault(tr("cannot write %1: %2").arg(path, file.errorString()));
  }
}

void MainWindow::export_to(const QString& path, bool overwrite) {
  if (!document_.picture()) return;
  ExportJob job;
  job.input = document_.picture()->path;
  job.output = native(path);
  job.recipe = document_.recipe();
  job.options.overwrite = overwrite;
  job.device = device_;
  if (!exporter_.start(std::move(job))) {
    messages_->say_notice(tr("An export is running already."));
    return;
  }
  progress_->setValue(0);
  progress_->show();
  cancel_->show();
}

void MainWindow::choose_picture() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a picture"));
  if (!path.isEmpty()) open_file(path);
}

void MainWindow::choose_recipe() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a recipe"), {}, tr("Recipes (*.json)"));
  if (!path.isEmpty()) open_file(path);
}

void MainWindow::choose_recipe_target() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Save the recipe"), recipe_path_,
                                                    tr("Recipes (*.json)"));
  if (!path.isEmpty()) save_recipe_to(path);
}

void MainWindow::choose_export_target() {
  if (!document_.picture()) {
    messages_->say_notice(tr("Open a picture first."));
    return;
  }
  // The dialog asks before a file is replaced.
  const QString path = QFileDialog::getSaveFileName(this, tr("Export"));
  if (!path.isEmpty()) export_to(path, QFileInfo::exists(path));
}

void MainWindow::remember(const QString& path) {
  QSettings settings;
  QStringList recent = settings.value(recent_key()).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  recent.removeAll(absolute);
  recent.prepend(absolute);
  settings.setValue(recent_key(), QStringList(recent.mid(0, most_recent)));
}

bool MainWindow::may_lose_changes() {
  if (!document_.is_modified()) return true;
  const auto answer = QMessageBox::question(
      this, tr("Save the recipe?"), tr("The recipe has changes that are not saved."),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  if (answer == QMessageBox::Save) {
    choose_recipe_target();
    return !document_.is_modified();
  }
  return answer == QMessageBox::Discard;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (may_lose_changes()) {
    event->accept();
  } else {
    event->ignore();
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) open_file(url.toLocalFile());
  }
  event->acceptProposedAction();
}

}  // namespace sfumato::gui
