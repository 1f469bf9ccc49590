// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Adding, dropping, selecting and previewing files.
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

#include "app/message_bar.hpp"
#include "batch/batch_panel.hpp"
#include "batch/batch_window.hpp"
#include "batch/found_files.hpp"
#include "batch/recipe_choice.hpp"
#include "document/background.hpp"
#include "document/fault.hpp"
#include "document/paths.hpp"
#include "params/core_text.hpp"
#include "preview/preview_view.hpp"

namespace sfumato::gui {
namespace {

struct Opened {
  PicturePtr picture;
  QString fault;
};

Opened open_for_preview(const QString& path) {
  try {
    return {open_whole(native_path(path)), {}};
  } catch (const std::exception& error) {
    return {nullptr, fault_of(error)};
  }
}

QStringList local_files(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  return paths;
}

}  // namespace

void BatchWindow::add(const QStringList& given) {
  QStringList paths;
  for (const QString& path : given) {
    const bool recipe = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    recipe ? take_recipe(path) : static_cast<void>(paths << path);
  }
  if (paths.isEmpty()) return;
  if (job_.is_running()) {
    messages_->say_notice(Topic::steps, tr("Files can be added when this batch has ended."));
    return;
  }
  ++adding_;
  update_actions();
  // Results go beside the first files until the user chooses another folder.
  const bool follows = model_.rowCount() == 0 && panel_->may_suggest_folder();
  in_background(
      this,
      [paths, outputs = follows ? QString() : panel_->folder(), frames = panel_->frames()] {
        return find_files(paths, outputs, frames);
      },
      [this, follows](const FoundFiles& found) {
        --adding_;
        const int count = model_.add(found.inputs.files);
        QStringList warnings;
        for (const Message& warning : found.inputs.warnings) warnings << core_text(warning);
        if (!found.fault.isEmpty()) {
          messages_->say_fault(Topic::files, found.fault);
        } else if (!warnings.isEmpty()) {
          messages_->say_warning(Topic::files, warnings.join(QLatin1Char('\n')));
        }
        const bool wanted = follows || panel_->folder().isEmpty();
        if (wanted && model_.rowCount() > 0) {
          panel_->suggest_folder(folder_beside(found.folder));
        }
        update_actions();
        Q_EMIT added(count);
      });
}

void BatchWindow::find_again() {
  if (model_.rowCount() == 0) return;
  ++adding_;
  update_actions();
  in_background(
      this,
      [files = model_.inputs(), frames = panel_->frames()] { return found_again(files, frames); },
      [this](const FoundInputs& found) {
        --adding_;
        model_.clear();
        const int count = model_.add(found.files);
        update_actions();
        Q_EMIT added(count);
      });
}

void BatchWindow::choose_files() {
  add(QFileDialog::getOpenFileNames(this, tr("Add files")));
}

void BatchWindow::choose_folder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Add a folder"));
  if (!folder.isEmpty()) add({folder});
}

std::vector<int> BatchWindow::chosen_rows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : list_->selectionModel()->selectedIndexes()) {
    rows.push_back(index.row());
  }
  return rows;
}

void BatchWindow::remove_chosen() {
  if (job_.is_running()) return;
  model_.remove(chosen_rows());
  show_chosen();  // a reset model emits no change of selection
  update_actions();
}

void BatchWindow::show_menu(const QPoint& at) {
  const QModelIndex index = list_->indexAt(at);
  if (!index.isValid()) return;
  QMenu menu(this);
  const QString path = model_.path(index.row()), output = model_.output(index.row());
  menu.addAction(tr("&Open in the editor"), this, [this, path] { Q_EMIT open_wanted(path); });
  QAction* result = menu.addAction(tr("Open the &result"), this, [output] {
    QDesktopServices::openUrl(QUrl::fromLocalFile(output));
  });
  result->setEnabled(!output.isEmpty());
  menu.addSeparator();
  menu.addAction(remove_);
  menu.exec(list_->viewport()->mapToGlobal(at));
}

// The preview follows the selection of a single file.
void BatchWindow::show_chosen() {
  const std::vector<int> rows = chosen_rows();
  show_recipe();
  const int number = ++opening_;
  if (rows.size() != 1 || model_.input(rows.front()).movie) return show_picture({}, {}, number);
  const QString path = model_.path(rows.front());
  in_background(
      this, [path] { return open_for_preview(path); },
      [this, number](const Opened& opened) { show_picture(opened.picture, opened.fault, number); });
}

// The preview's recipe, with the selected file's pictures for its roles.
void BatchWindow::show_recipe() {
  Recipe recipe = panel_->recipes().recipe();
  const std::vector<int> rows = chosen_rows();
  if (rows.size() == 1) {
    BatchItem item;
    item.number = rows.front() + 1;
    item.source = model_.input(rows.front());
    try {
      recipe = with_roles(std::move(recipe), roles_of(panel_->request(), item));
    } catch (const BatchError&) {
      // An error in a name is shown beside it.
    }
  }
  if (shown_recipe_ == recipe) return;
  shown_recipe_ = recipe;
  preview_->set_recipe(recipe);
}

void BatchWindow::show_picture(const PicturePtr& picture, const QString& fault, int number) {
  if (number != opening_) return;  // another file was selected meanwhile
  preview_->set_picture(picture);
  preview_->set_hint(fault.isEmpty() ? tr("Choose a file to see it before and after") : fault);
}

void BatchWindow::closeEvent(QCloseEvent* event) {
  if (!job_.is_running()) return QMainWindow::closeEvent(event);
  event->ignore();
  messages_->show_question(QStringLiteral("close"), tr("The batch is still running."),
                           {{tr("Stop and close"),
                             [this] {
                               if (!job_.is_running()) return static_cast<void>(close());
                               closing_ = true;
                               cancel();
                             }},
                            {tr("Go on"), [] {}}});
}

void BatchWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!local_files(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void BatchWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  add(local_files(*event->mimeData()));
}

}  // namespace sfumato::gui
