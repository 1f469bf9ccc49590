// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Assembles the window and shows the document's state.
#include "app/main_window.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/filter_browser.hpp"
#include "app/message_bar.hpp"
#include "app/preset_menu.hpp"
#include "compare/compare_window.hpp"
#include "params/keyboard.hpp"
#include "params/parameter_panel.hpp"
#include "params/response_plot.hpp"
#include "preview/preview_view.hpp"
#include "preview/spectrum_view.hpp"

namespace sfumato::gui {
namespace {

constexpr QSize frame_size(8, 40);  // room for a desktop's window frame

}  // namespace

MainWindow::MainWindow(const Settings& settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      recovery_(document_),
      renderer_(settings.session()),
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
  pass_undo_on();
  make_docks();
  make_actions();
  make_status_bar();
  resize(QSize(1320, 840).boundedTo(screen()->availableGeometry().size() - frame_size));
  connect_document();
  connect_exporter();
  update_title();
  update_actions();
}

MainWindow::~MainWindow() {
  // A field commits text being typed when it is destroyed, too late for the document.
  parameters_->disconnect(this);
  delete comparison_.data();
  delete video_.data();
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
  cancel_->setToolTip(tr("Cancel the export"));
  cancel_->hide();
  connect(cancel_, &QToolButton::clicked, this, [this] { exporter_.cancel(); });
  statusBar()->addWidget(place_);
  statusBar()->addWidget(values_, 1);
  statusBar()->addPermanentWidget(progress_);
  statusBar()->addPermanentWidget(cancel_);
  statusBar()->addPermanentWidget(zoom_);
  connect(preview_, &PreviewView::zoom_changed, this, [this](double zoom) {
    zoom_->setText(tr("%1 %").arg(QLocale().toString(zoom * 100, 'f', zoom < 0.1 ? 1 : 0)));
  });
  connect(preview_, &PreviewView::hovered, this,
          [this](const QString& place, const QString& before, const QString& after) {
            place_->setText(place);
            values_->setText(place.isEmpty() ? QString()
                                             : tr("before %1   after %2").arg(before, after));
          });
}

void MainWindow::connect_document() {
  connect(&document_, &Document::recipe_changed, this, [this] {
    preview_->set_recipe(document_.recipe());
    spectrum_->set_recipe(document_.recipe());
  });
  connect(&document_, &Document::current_changed, this, &MainWindow::show_current_step);
  connect(&document_, &Document::stack_changed, this, &MainWindow::show_current_step);
  connect(&document_, &Document::values_changed, this, [this](int step) {
    if (step != document_.current()) return;
    parameters_->set_values(document_.current_step()->values);
    response_->show_step(document_.current_step());
  });
  connect(&document_.undo_stack(), &QUndoStack::cleanChanged, this, &MainWindow::update_title);
  connect(browser_, &FilterBrowser::chosen, &document_, &Document::add_step);
  connect(parameters_, &ParameterPanel::value_changed, this,
          [this](const std::string& name, const Value& value, bool finished) {
            document_.set_value(document_.current(), name, value, finished);
          });
  connect(&recovery_, &Recovery::kept_changed, messages_, [this](const QString& fault) {
    messages_->clear(Topic::autosave);
    if (!fault.isEmpty()) messages_->add_fault(Topic::autosave, fault);
  });
  connect(&renderer_, &PreviewRenderer::warned, messages_,
          [this](const QString& text) { messages_->say_notice(Topic::steps, text); });
  connect(presets_, &PresetMenu::failed, messages_,
          [this](const QString& text) { messages_->say_fault(Topic::presets, text); });
  connect(presets_, &PresetMenu::done, messages_,
          [this](const QString& text) { messages_->say_notice(Topic::presets, text); });
}

void MainWindow::connect_exporter() {
  connect(&exporter_, &Exporter::progressed, this, [this](double part) {
    progress_->setValue(static_cast<int>(part * progress_->maximum()));
  });
  connect(&exporter_, &Exporter::finished, this, &MainWindow::show_exported);
}

void MainWindow::show_current_step() {
  update_actions();
  const Step* step = document_.current_step();
  parameters_->show_step(step);
  response_->show_step(step);
  if (step != nullptr && document_.picture()) {
    QStringList names;
    for (const std::string& name : document_.picture()->all_channels) {
      names << QString::fromStdString(name);
    }
    parameters_->offer_channels(QString::fromStdString(document_.picture()->path.string()), names);
  }
}

void MainWindow::update_title() {
  const QString name =
      document_.picture() ? QString::fromStdString(document_.picture()->title) : tr("no picture");
  // Doubled, Qt's placeholder "[*]" stands for itself.
  setWindowTitle(tr("%1[*] — Sfumato")
                     .arg(QString(name).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"))));
  setWindowModified(document_.is_modified());
}

void MainWindow::update_actions() {
  export_action_->setEnabled(document_.picture() != nullptr);
  save_recipe_action_->setEnabled(document_.size() > 0);
  for (QAction* action : step_actions_) action->setEnabled(document_.current() >= 0);
}

bool MainWindow::may_lose_changes() {
  if (!document_.is_modified() || document_.size() == 0) return true;
  const auto answer = QMessageBox::question(
      this, tr("Save the recipe?"), tr("The recipe has changes that are not saved."),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  // The window closes once the recipe is on disk.
  if (answer == QMessageBox::Save) close_when_saved_ = choose_recipe_target();
  return answer == QMessageBox::Discard;
}

// Includes text still being typed: fields commit it when they lose the focus.
void MainWindow::commit_editing() {
  QWidget* field = QApplication::focusWidget();
  if (field != nullptr && parameters_->isAncestorOf(field)) field->clearFocus();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  commit_editing();
  if (exporter_.is_running()) {
    messages_->show_question(
        QStringLiteral("close"),
        tr("%1 is still being exported.").arg(QFileInfo(exporting_to_).fileName()),
        {{tr("Stop and close"),
          [this] {
            if (!exporter_.is_running()) return static_cast<void>(close());
            close_when_exported_ = true;
            exporter_.cancel();
          }},
         {tr("Go on exporting"), [] {}}});
    return event->ignore();
  }
#ifdef SFUMATO_VIDEO
  event->setAccepted(may_lose_changes() && video_may_go());
#else
  event->setAccepted(may_lose_changes());
#endif
  if (event->isAccepted()) save_layout();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  open_files(paths);
  event->acceptProposedAction();
}

}  // namespace sfumato::gui
