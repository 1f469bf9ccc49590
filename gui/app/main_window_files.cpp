// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures and recipes opened, pasted, saved, exported and recovered, beside the GUI thread.
#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QToolButton>

#include "app/export_dialog.hpp"
#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "document/aside.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"
#include "gpu/program_cache.hpp"
#include "preview/preview_view.hpp"
#include "preview/spectrum_view.hpp"
#ifdef SFUMATO_VIDEO
#include "video/video_source.hpp"
#endif

namespace sfumato::gui {
namespace {

constexpr int most_recent = 12;

struct OpenedFile {
  PicturePtr picture;
  QString fault;
};

struct ReadRecipe {
  Recipe recipe;
  QString fault;
};

ReadRecipe read_recipe(const QString& path) {
  try {
    std::string text;
    if (!read_file(native_path(path), text)) {
      return {{},
              MainWindow::tr("cannot read %1; check that it is there and may be read").arg(path)};
    }
    return {parse_recipe(text, Registry::get(), native_path(QFileInfo(path).absolutePath())), {}};
  } catch (const std::exception& error) {
    return {{}, QFileInfo(path).fileName() + QLatin1String(": ") + QString::fromUtf8(error.what())};
  }
}

// A picture in the clipboard as the bytes of a file, at the depth in which it was put there.
std::pair<QByteArray, QString> clipboard_bytes(const QMimeData& data) {
  for (const auto& [type, suffix] : {std::pair("image/png", ".png"),
                                     {"image/tiff", ".tif"},
                                     {"image/x-exr", ".exr"},
                                     {"image/jpeg", ".jpg"}}) {
    if (data.hasFormat(QLatin1String(type))) {
      return {data.data(QLatin1String(type)), QLatin1String(suffix)};
    }
  }
  return {};
}

}  // namespace

void MainWindow::open_file(const QString& path, const std::string& channels) {
  if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) {
    open_recipe(path);
    return;
  }
#ifdef SFUMATO_VIDEO
  if (VideoSource::is_movie(path)) return open_video(path);
#endif
  aside(
      this,
      [path, channels]() -> OpenedFile {
        try {
          return {open_whole(native_path(path), channels), {}};
        } catch (const std::exception& error) {
          return {nullptr, QString::fromUtf8(error.what())};
        }
      },
      [this, path, number = ++opening_](const OpenedFile& file) {
        if (number == opening_) take_picture(file.picture, file.fault, path);
      });
}

void MainWindow::paste() {
  const QMimeData* held = QGuiApplication::clipboard()->mimeData();
  if (held == nullptr) return;
  for (const QUrl& url : held->urls()) {
    if (url.isLocalFile()) return open_file(url.toLocalFile());
  }
  auto [bytes, suffix] = clipboard_bytes(*held);
  const QImage image = bytes.isEmpty() ? qvariant_cast<QImage>(held->imageData()) : QImage();
  if (bytes.isEmpty() && image.isNull()) {
    messages_->say_notice(tr("The clipboard holds no picture."));
    return;
  }
  aside(
      this,
      [bytes = std::move(bytes), suffix = std::move(suffix), image]() mutable -> OpenedFile {
        try {
          if (bytes.isEmpty()) {
            QBuffer buffer(&bytes);
            buffer.open(QIODevice::WriteOnly);
            image.save(&buffer, "PNG");  // 16 bits where the image has them
            suffix = QStringLiteral(".png");
          }
          return {open_bytes(bytes, suffix, tr("Pasted picture")), {}};
        } catch (const std::exception& error) {
          return {nullptr, QString::fromUtf8(error.what())};
        }
      },
      [this, number = ++opening_](const OpenedFile& file) {
        if (number == opening_) take_picture(file.picture, file.fault, {});
      });
}

void MainWindow::take_picture(const PicturePtr& picture, const QString& fault,
                              const QString& path) {
  if (picture) {
    if (!path.isEmpty()) remember(path);
    document_.set_picture(picture);
    preview_->set_picture(picture);
    spectrum_->set_picture(picture);
    browser_->set_picture(picture);
    if (picture->warnings.empty()) {
      messages_->hide();
    } else {
      messages_->say_notice(QString::fromStdString(picture->warnings.front()));
    }
    fill_layers();
    show_current_step();
    update_title();
  } else {
    messages_->say_fault(fault);
  }
  Q_EMIT opened(fault);
}

// The choice of layers, where the file has any.
void MainWindow::fill_layers() {
  const OpenedPicture& picture = *document_.picture();
  const QSignalBlocker quiet(layers_);
  layers_->clear();
  layers_->addItem(tr("The picture"), QString());
  for (const std::string& layer : picture.layers) {
    layers_->addItem(QString::fromStdString(layer), QString::fromStdString(layer));
  }
  layers_->setCurrentIndex(
      std::max(0, layers_->findData(QString::fromStdString(picture.channels))));
  layers_action_->setVisible(!picture.layers.empty());
}

void MainWindow::open_recipe(const QString& path) {
  aside(
      this, [path] { return read_recipe(path); },
      [this, path](const ReadRecipe& read) {
        if (read.fault.isEmpty()) {
          document_.replace_recipe(read.recipe,
                                   tr("Open recipe %1").arg(QFileInfo(path).completeBaseName()));
          recipe_path_ = path;
          document_.undo_stack().setClean();
        } else {
          messages_->say_fault(read.fault);
        }
        Q_EMIT opened(read.fault);
      });
}

void MainWindow::save_recipe_to(const QString& path) {
  // What is printed here is what counts as saved; later changes are not.
  const int index = document_.undo_stack().index();
  aside(
      this,
      [path, recipe = document_.recipe()]() -> QString {
        try {
          const std::string text =
              print_recipe(recipe, Registry::get(), native_path(QFileInfo(path).absolutePath()));
          if (write_file_atomically(native_path(path), text)) return {};
          return tr("cannot write %1; check the folder's permissions and the room left").arg(path);
        } catch (const std::exception& error) {
          return QString::fromUtf8(error.what());
        }
      },
      [this, path, index](const QString& fault) {
        if (fault.isEmpty()) {
          recipe_path_ = path;
          if (document_.undo_stack().index() == index) document_.undo_stack().setClean();
          messages_->say_notice(tr("Recipe saved."));
        } else {
          messages_->say_fault(fault);
        }
        Q_EMIT recipe_saved(fault);
      });
}

void MainWindow::export_to(const QString& path, bool overwrite) {
  WriteOptions options;
  options.overwrite = overwrite;
  export_to(path, options);
}

void MainWindow::export_to(const QString& path, const WriteOptions& options) {
  if (!document_.picture()) return;
  ExportJob job;
  job.picture = document_.picture();
  job.output = native_path(path);
  job.recipe = document_.recipe();
  job.options = options;
  job.session = settings_.session();
  if (!exporter_.start(std::move(job))) {
    messages_->say_notice(tr("An export is running already."));
    return;
  }
  progress_->setValue(0);
  progress_->show();
  cancel_->show();
}

void MainWindow::offer_recovery(const QString& folder) {
  aside(
      this, [folder] { return Recovery::left_behind(folder); },
      [this](const std::vector<LeftBehind>& found) {
        if (found.empty()) return;
        const QString steps = tr("%n step(s)", nullptr, found.front().steps);
        messages_->ask(
            tr("Sfumato ended unexpectedly. Its last recipe, %1, can be restored.").arg(steps),
            {{tr("Restore"), [this, found] { restore(found.front()); }},
             {tr("Discard"), [this, found] {
                const auto discard = [found] {
                  for (const LeftBehind& one : found) Recovery::discard(one);
                };
                aside(this, discard, [] {});
              }}});
      });
}

void MainWindow::restore(const LeftBehind& found) {
  aside(
      this, [found] { return read_recipe(found.file); },
      [this, found](const ReadRecipe& read) {
        if (!read.fault.isEmpty()) return messages_->say_fault(read.fault);
        Recipe recipe = read.recipe;
        recipe.extra.erase("picture");
        document_.replace_recipe(recipe, tr("Restore"));
        recovery_.write_now();
        aside(
            this, [found] { Recovery::discard(found); },
            [this, found] {
              if (!found.picture.isEmpty()) open_file(found.picture);
            });
      });
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
  QString path = QFileDialog::getSaveFileName(this, tr("Save the recipe"), recipe_path_,
                                              tr("Recipes (*.json)"));
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".json");
  save_recipe_to(path);
}

PicturePtr MainWindow::picture_or_notice() {
  if (!document_.picture()) messages_->say_notice(tr("Open a picture first."));
  return document_.picture();
}

void MainWindow::choose_export_target() {
  const PicturePtr picture = picture_or_notice();
  if (!picture) return;
  const QFileInfo original(shown_path(picture->path));
  const bool pasted = picture->temporary != nullptr;
  const QString folder = pasted ? QDir::homePath() : original.absolutePath();
  const FormatInfo* format = format_of(picture->path);
  const QString suffix = format != nullptr ? QString::fromStdString(format->extensions.front())
                                           : QStringLiteral("tif");
  const QString base = pasted ? tr("pasted") : original.completeBaseName();
  ExportDialog dialog(
      *picture, QStringLiteral("%1/%2-%3.%4").arg(folder, base, tr("filtered"), suffix), this);
  if (dialog.exec() == QDialog::Accepted) export_to(dialog.path(), dialog.options());
}

void MainWindow::remember(const QString& path) {
  QSettings settings;
  const QString key = QStringLiteral("recent_files");
  QStringList recent = settings.value(key).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  recent.removeAll(absolute);
  recent.prepend(absolute);
  settings.setValue(key, QStringList(recent.mid(0, most_recent)));
}

}  // namespace sfumato::gui
