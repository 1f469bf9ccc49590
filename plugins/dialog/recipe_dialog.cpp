// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Builds the dialog from the editor's parts.
#include "dialog/recipe_dialog.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QUrl>
#include <QVBoxLayout>

#include "app/filter_browser.hpp"
#include "app/preset_menu.hpp"
#include "app/stack_view.hpp"
#include "dialog/language.hpp"
#include "dialog/preview_pane.hpp"
#include "document/paths.hpp"
#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"
#include "params/parameter_panel.hpp"
#include "params/response_plot.hpp"
#include "preview/preview_view.hpp"
#include "preview/thumbnails.hpp"

namespace sfumato::hosts {

using gui::Document;

namespace {

QString message_text(const char* text) {
  return QCoreApplication::translate("Hosts", text);
}

}  // namespace

QString dropped_recipe(const QMimeData* data) {
  const QList<QUrl> urls = data->urls();
  const QString path = urls.size() == 1 ? urls[0].toLocalFile() : QString();
  return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? path : QString();
}

RecipeDialog::RecipeDialog(const gui::PicturePtr& picture, const Recipe& recipe,
                           SessionOptions options, gui::HostLayers* layers, QWidget* parent)
    : QDialog(parent),
      renderer_(std::move(options)),
      layers_(layers),
      browser_(new gui::FilterBrowser(this)),
      pane_(new gui::PreviewPane(renderer_, this)),
      parameters_(new gui::ParameterPanel(this)),
      response_(new gui::ResponsePlot(this)) {
  set_up(picture);
  follow_document();
  preview().set_picture(picture);
  document_.replace_recipe(recipe, {});
  document_.undo_stack().clear();
  show_current();
  show_recipe();
}

RecipeDialog::~RecipeDialog() = default;

gui::PreviewView& RecipeDialog::preview() {
  return pane_->view();
}

void RecipeDialog::set_up(const gui::PicturePtr& picture) {
  setWindowTitle(message_text(QT_TRANSLATE_NOOP("Hosts", "Sfumato: several filters")));
  setAcceptDrops(true);
  if (layers_ != nullptr) {
    QStringList names;
    for (const std::string& name : layers_->names()) names << QString::fromStdString(name);
    parameters_->offer_layers(names);
  }
  browser_->set_picture(picture);
  auto* splitter = new QSplitter(this);
  for (QWidget* part : {make_left(), static_cast<QWidget*>(pane_), make_right()}) {
    splitter->addWidget(part);
  }
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({240, 640, 340});
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  accept_ = buttons->button(QDialogButtonBox::Ok);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(splitter, 1);
  layout->addWidget(buttons);
  resize(1240, 720);
  QAction* undo = document_.undo_stack().createUndoAction(this);
  QAction* redo = document_.undo_stack().createRedoAction(this);
  undo->setShortcuts(QKeySequence::Undo);
  redo->setShortcuts(QKeySequence::Redo);
  addActions({undo, redo});
}

// All filters, and below them the steps.
QWidget* RecipeDialog::make_left() {
  auto* left = new QSplitter(Qt::Vertical, this);
  auto* below = new QWidget(left);
  auto* layout = new QVBoxLayout(below);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* buttons = new QHBoxLayout;
  auto* presets = new QPushButton(message_text(QT_TRANSLATE_NOOP("Hosts", "Presets")), below);
  auto* menu = new gui::PresetMenu(document_, user_preset_folder(), presets);
  presets->setMenu(menu);
  connect(menu, &gui::PresetMenu::failed, this, &RecipeDialog::say);
  connect(menu, &gui::PresetMenu::done, this, &RecipeDialog::say);
  auto* file = new QPushButton(message_text(QT_TRANSLATE_NOOP("Hosts", "Open a recipe…")), below);
  file->setAutoDefault(false);
  presets->setAutoDefault(false);
  connect(file, &QPushButton::clicked, this, &RecipeDialog::choose_file);
  buttons->addWidget(presets);
  buttons->addWidget(file);
  layout->addLayout(buttons);
  layout->addWidget(new gui::StackView(document_, below), 1);
  left->addWidget(browser_);
  left->addWidget(below);
  left->setSizes({400, 260});
  return left;
}

QWidget* RecipeDialog::make_right() {
  auto* right = new QWidget(this);
  auto* layout = new QVBoxLayout(right);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(parameters_, 1);
  layout->addWidget(response_);
  return right;
}

void RecipeDialog::follow_document() {
  connect(&document_, &Document::recipe_changed, this, &RecipeDialog::show_recipe);
  connect(&document_, &Document::current_changed, this, &RecipeDialog::show_current);
  connect(&document_, &Document::stack_changed, this, &RecipeDialog::show_current);
  connect(&document_, &Document::values_changed, this, [this](int step) {
    if (step != document_.current()) return;
    parameters_->set_values(document_.current_step()->values);
    response_->show_step(document_.current_step());
  });
  connect(browser_, &gui::FilterBrowser::chosen, &document_, &Document::add_step);
  connect(parameters_, &gui::ParameterPanel::value_changed, this,
          [this](const std::string& name, const Value& value, bool finished) {
            document_.set_value(document_.current(), name, value, finished);
          });
  connect(&renderer_, &gui::PreviewRenderer::started, browser_,
          [this] { browser_->thumbnails().pause(true); });
  connect(&renderer_, &gui::PreviewRenderer::idle, browser_,
          [this] { browser_->thumbnails().pause(false); });
}

QString RecipeDialog::notice() const {
  return pane_->notice();
}

void RecipeDialog::say(const QString& sentence) {
  pane_->say(sentence);
}

void RecipeDialog::choose_file() {
  const QString path = QFileDialog::getOpenFileName(
      this, message_text(QT_TRANSLATE_NOOP("Hosts", "Open a recipe")), {},
      message_text(QT_TRANSLATE_NOOP("Hosts", "Recipes (*.json)")));
  if (!path.isEmpty()) open_recipe(path);
}

void RecipeDialog::open_recipe(const QString& path) {
  try {
    // Relative paths in it start from its own folder.
    Recipe recipe = parse_recipe(files::read_text(gui::native_path(path)), Registry::get(),
                                 gui::native_path(QFileInfo(path).absolutePath()));
    document_.replace_recipe(
        std::move(recipe),
        message_text(QT_TRANSLATE_NOOP("Hosts", "Recipe %1")).arg(QFileInfo(path).fileName()));
  } catch (const std::exception& error) {
    say(QString::fromStdString(user_text(message_in(error))));
  }
}

void RecipeDialog::show_current() {
  accept_->setEnabled(document_.current() >= 0);
  parameters_->show_step(document_.current_step());
  response_->show_step(document_.current_step());
}

// The preview reads layers from files; the recipe itself still refers to them by name.
void RecipeDialog::show_recipe() {
  pane_->hide_message();
  try {
    const Recipe& recipe = document_.recipe();
    preview().set_recipe(layers_ != nullptr ? gui::with_files(recipe, *layers_) : recipe);
  } catch (const std::exception& error) {
    say(QString::fromStdString(user_text(message_in(error))));
  }
}

// Return in the filter search does not press OK.
void RecipeDialog::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const QWidget* focus = focusWidget();
  if (enter && focus != nullptr && browser_->isAncestorOf(focus)) return;
  QDialog::keyPressEvent(event);
}

void RecipeDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_recipe(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void RecipeDialog::dropEvent(QDropEvent* event) {
  const QString path = dropped_recipe(event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  open_recipe(path);
}

}  // namespace sfumato::hosts
