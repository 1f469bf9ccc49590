// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Exports: the dialog, the start and the outcome.
#include <QDir>
#include <QFileInfo>
#include <QProgressBar>
#include <QToolButton>

#include "app/export_dialog.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "document/paths.hpp"

namespace sfumato::gui {

PicturePtr MainWindow::picture_or_notice() {
  if (!document_.picture()) messages_->say_notice(Topic::output, tr("Open a picture first."));
  return document_.picture();
}

void MainWindow::choose_export_target() {
  const PicturePtr picture = picture_or_notice();
  if (!picture) return;
  commit_editing();
  const Recipe recipe = document_.recipe();  // the picture may change while the dialog is open
  const QFileInfo original(shown_path(picture->path));
  const bool pasted = picture->temporary != nullptr;
  const QString folder = pasted ? QDir::homePath() : original.absolutePath();
  const FormatInfo* format = format_of(picture->path);
  const QString suffix = !export_suffix_.isEmpty() ? export_suffix_
                         : format != nullptr ? QString::fromStdString(format->extensions.front())
                                             : QStringLiteral("tif");
  const QString base = pasted ? tr("pasted") : original.completeBaseName();
  ExportDialog dialog(
      *picture, QStringLiteral("%1/%2-%3.%4").arg(folder, base, tr("filtered"), suffix), this);
  if (!export_suffix_.isEmpty()) dialog.set_options(export_options_);
  if (dialog.exec() != QDialog::Accepted) return;
  export_options_ = dialog.options();
  export_suffix_ = QFileInfo(dialog.path()).suffix();
  export_picture(picture, recipe, dialog.path(), export_options_);
}

void MainWindow::export_to(const QString& path, bool overwrite) {
  WriteOptions options;
  options.overwrite = overwrite;
  export_to(path, options);
}

void MainWindow::export_to(const QString& path, const WriteOptions& options) {
  if (document_.picture()) export_picture(document_.picture(), document_.recipe(), path, options);
}

void MainWindow::export_picture(const PicturePtr& picture, const Recipe& recipe,
                                const QString& path, const WriteOptions& options) {
  ExportJob job;
  job.picture = picture;
  job.output = native_path(path);
  job.recipe = recipe;
  job.options = options;
  job.session = settings_.session();
  if (!exporter_.start(std::move(job))) {
    messages_->say_notice(Topic::output, tr("An export is running already."));
    return;
  }
  messages_->clear(Topic::output);
  exporting_ = picture;
  exporting_to_ = path;
  progress_->setValue(0);
  progress_->show();
  cancel_->show();
}

void MainWindow::show_exported(bool written, const QString& fault, const QStringList& warnings) {
  progress_->hide();
  cancel_->hide();
  messages_->withdraw(QStringLiteral("close"));
  const PicturePtr picture = std::exchange(exporting_, nullptr);
  const bool shown = picture && picture == document_.picture();
  if (!fault.isEmpty() && shown && exporter_.input() == Exporter::Input::changed) {
    const auto again = [this, path = shown_path(picture->path), channels = picture->channels] {
      open_file(path, channels);
    };
    messages_->show_question(QStringLiteral("changed"), fault,
                             {{tr("Open again"), again}, {tr("Not now"), [] {}}});
  } else if (!fault.isEmpty()) {
    messages_->say_fault(Topic::output, fault);
  } else if (!written) {
    messages_->say_notice(Topic::output, tr("The export was cancelled; nothing was written."));
  } else {
    const QString said = tr("Exported %1.").arg(QFileInfo(exporting_to_).fileName());
    const QString all = (QStringList{said} + warnings).join(QLatin1Char('\n'));
    warnings.isEmpty() ? messages_->say_notice(Topic::output, all)
                       : messages_->say_warning(Topic::output, all);
    if (shown && exporter_.input() == Exporter::Input::replaced) show_replaced();
  }
  if (std::exchange(close_when_exported_, false)) close();
}

// The result replaced the picture's file: the window shows the new content.
void MainWindow::show_replaced() {
  const PicturePtr& picture = document_.picture();
  if (document_.size() > 0) {
    messages_->show_question(
        QStringLiteral("replaced"),
        tr("“%1” holds the result now and was opened again; the steps would filter it once more.")
            .arg(QString::fromStdString(picture->title)),
        {{tr("Clear the steps"), [this] { document_.replace_recipe({}, tr("Clear the steps")); }},
         {tr("Keep the steps"), [] {}}});
  }
  open_file(shown_path(picture->path), picture->channels);
}

}  // namespace sfumato::gui
