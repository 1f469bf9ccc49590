// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opens, pastes, saves and recovers pictures and recipes off the GUI thread.
#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "app/save_target.hpp"
#include "batch/inputs.hpp"
#include "document/background.hpp"
#include "document/fault.hpp"
#include "document/paths.hpp"
#include "document/recipe_file.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"
#include "params/core_text.hpp"
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

// The folder of the last picture. With a trailing slash, since dialogs would otherwise read the
// last part of a deleted folder as a file name.
QString last_folder() {
  const QStringList recent = QSettings().value(QStringLiteral("recent_files")).toStringList();
  return recent.isEmpty() ? QString() : QFileInfo(recent.front()).path() + QLatin1Char('/');
}

// The likely formats; any other file can be opened too.
QString picture_filters() {
  QStringList patterns;
  for (const std::string& extension : picture_extensions()) {
    patterns << QStringLiteral("*.") + QString::fromStdString(extension);
  }
  QStringList filters;
#ifdef SFUMATO_VIDEO
  filters << MainWindow::tr("Movies (%1)").arg(VideoSource::movie_patterns());
#endif
  filters << MainWindow::tr("Recipes (*.json)") << MainWindow::tr("All files (*)");
  filters.prepend(MainWindow::tr("Pictures (%1)").arg(patterns.join(QLatin1Char(' '))));
  return filters.join(QStringLiteral(";;"));
}

// A picture in the clipboard as the bytes of a file, at its original depth.
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
  open_beside(QFileInfo(path).fileName(), path,
              [path, channels] { return open_whole(native_path(path), channels); });
}

void MainWindow::open_layer(const std::string& channels) {
  const PicturePtr picture = document_.picture();
  open_beside(QString::fromStdString(picture->title),
              picture->temporary ? QString() : shown_path(picture->path),
              [picture, channels] { return open_channels(*picture, channels); });
}

// `path` is remembered unless it is empty.
void MainWindow::open_beside(const QString& name, const QString& path,
                             std::function<PicturePtr()> body) {
  ++opening_;
  begin_opening(name);
  messages_->clear(Topic::picture);
  in_background(
      this,
      [body = std::move(body)]() -> OpenedFile {
        try {
          return {body(), {}};
        } catch (const std::exception& error) {
          return {nullptr, fault_of(error)};
        }
      },
      [this, path, number = opening_](const OpenedFile& file) {
        end_opening();
        if (number == opening_) take_picture(file.picture, file.fault, path);
      });
}

// Opens the first picture and all recipes here, and further pictures in windows of their own.
void MainWindow::open_files(const QStringList& paths) {
  bool taken = false;
  for (const QString& path : paths) {
    const bool recipe = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    if (taken && !recipe) {
      Q_EMIT window_wanted(path);
    } else {
      open_file(path);
    }
    taken = taken || !recipe;
  }
}

bool MainWindow::is_vacant() const {
  return !document_.picture() && openings_ == 0 && !document_.is_modified() && video_.isNull();
}

// A file that opens quickly needs no message.
void MainWindow::begin_opening(const QString& name) {
  ++openings_;
  QTimer::singleShot(300, this, [this, name, number = opening_] {
    if (openings_ > 0 && number == opening_) statusBar()->showMessage(tr("Opening %1…").arg(name));
  });
}

void MainWindow::end_opening() {
  if (--openings_ == 0) statusBar()->clearMessage();
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
    messages_->say_notice(Topic::picture, tr("The clipboard holds no picture."));
    return;
  }
  open_beside(tr("Pasted picture"), {},
              [bytes = std::move(bytes), suffix = std::move(suffix), image]() mutable {
                if (bytes.isEmpty()) {
                  QBuffer buffer(&bytes);
                  buffer.open(QIODevice::WriteOnly);
                  image.save(&buffer, "PNG");  // 16 bits if the image has them
                  suffix = QStringLiteral(".png");
                }
                return open_bytes(bytes, suffix, tr("Pasted picture"));
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
    for (const Message& warning : picture->warnings) {
      messages_->add_warning(Topic::picture, core_text(warning));
    }
    fill_layers();
    show_current_step();
    update_title();
  } else {
    messages_->say_fault(Topic::picture, fault);
    if (document_.picture()) fill_layers();  // the newly chosen layer is not shown
  }
  Q_EMIT opened(fault);
}

// The choice of layers, if the file has any.
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
  begin_opening(QFileInfo(path).fileName());
  messages_->clear(Topic::recipe);  // of recipes opened before, not of others opened with this one
  in_background(
      this, [path] { return read_recipe(path); },
      [this, path](const ReadRecipe& read) {
        end_opening();
        if (read.fault.isEmpty()) {
          const bool unsaved = document_.is_modified();
          document_.replace_recipe(read.recipe,
                                   tr("Open recipe %1").arg(QFileInfo(path).completeBaseName()));
          recipe_path_ = path;
          // Steps recoverable only by undo are asked about when the window closes.
          if (unsaved) {
            messages_->add_notice(
                Topic::recipe,
                tr("The steps before were not saved; Undo (Ctrl+Z) brings them back."));
          } else {
            document_.undo_stack().setClean();
          }
        } else {
          messages_->add_fault(Topic::recipe, read.fault);
        }
        Q_EMIT opened(read.fault);
      });
}

void MainWindow::save_recipe_to(const QString& path) {
  const Recipe recipe = document_.recipe();
  in_background(
      this,
      [path, recipe]() -> QString {
        try {
          const std::string text =
              print_recipe(recipe, Registry::get(), native_path(QFileInfo(path).absolutePath()));
          files::replace_text(native_path(path), text);
          return {};
        } catch (const std::exception& error) {
          return fault_of(error);
        }
      },
      [this, path, recipe](const QString& fault) {
        if (fault.isEmpty()) {
          recipe_path_ = path;
          // Changes made meanwhile do not count as saved.
          if (document_.recipe() == recipe) document_.undo_stack().setClean();
          messages_->say_notice(Topic::recipe, tr("Recipe saved."));
        } else {
          messages_->say_fault(Topic::recipe, fault);
        }
        const bool closing = std::exchange(close_when_saved_, false) && fault.isEmpty();
        Q_EMIT recipe_saved(fault);
        if (closing) close();
      });
}

void MainWindow::offer_recovery(const QString& folder) {
  struct RecoveredFiles {
    std::vector<RecoveredWork> found;
    QStringList unreadable;
  };
  in_background(
      this,
      [folder] {
        RecoveredFiles left;
        left.found = Recovery::left_behind(folder, &left.unreadable);
        return left;
      },
      [this](const RecoveredFiles& left) {
        if (!left.unreadable.isEmpty()) {
          messages_->say_notice(
              Topic::recovery,
              tr("A recipe that was left behind cannot be read here; it is kept as %1.")
                  .arg(left.unreadable.join(QStringLiteral(", "))));
        }
        for (const RecoveredWork& one : left.found) offer(one);  // one question after another
      });
}

void MainWindow::offer(const RecoveredWork& found) {
  const QString steps = tr("%n step(s)", nullptr, found.steps),
                picture = QFileInfo(found.picture).fileName();
  messages_->show_question(
      found.file,
      picture.isEmpty()
          ? tr("Sfumato ended unexpectedly. Its last recipe, %1, can be restored.").arg(steps)
          : tr("Sfumato ended unexpectedly. Its last recipe for “%1”, %2, can be restored.")
                .arg(picture, steps),
      {{tr("Restore"),
        [this, found] {
          const PicturePtr& here = document_.picture();
          const bool fits =
              found.picture.isEmpty() || (here && shown_path(here->path) == found.picture);
          if (is_vacant() || (fits && !document_.is_modified())) {
            restore(found);
          } else {
            Q_EMIT restore_wanted(found);
          }
        }},
       {tr("Discard"), [this, found] {
          in_background(
              this, [found] { Recovery::discard(found); }, [] {});
        }}});
}

void MainWindow::restore(const RecoveredWork& found) {
  in_background(
      this, [found] { return read_recipe(found.file); },
      [this, found](const ReadRecipe& read) {
        if (!read.fault.isEmpty()) return messages_->say_fault(Topic::recovery, read.fault);
        messages_->clear(Topic::recovery);
        Recipe recipe = read.recipe;
        recipe.extra.erase("picture");
        document_.replace_recipe(recipe, tr("Restore"));
        recovery_.write_then([this, found](bool kept) {
          if (kept)
            return in_background(
                this, [found] { Recovery::discard(found); }, [] {});
          messages_->say_fault(
              Topic::recovery,
              tr("There is no space to keep the restored steps; the recovered file stays in %1.")
                  .arg(found.file));
        });
        if (!found.picture.isEmpty()) open_file(found.picture);
      });
}

void MainWindow::choose_picture() {
  const QStringList paths =
      QFileDialog::getOpenFileNames(this, tr("Open a picture"), last_folder(), picture_filters(),
                                    nullptr, QFileDialog::HideNameFilterDetails);
  open_files(paths);
}

void MainWindow::choose_recipe() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open a recipe"), QFileInfo(recipe_path_).path(), tr("Recipes (*.json)"));
  if (!path.isEmpty()) open_file(path);
}

// Returns whether saving has started.
bool MainWindow::choose_recipe_target() {
  const QString path = choose_target(this, tr("Save the recipe"), recipe_path_,
                                     tr("Recipes (*.json)"), QStringLiteral("json"));
  if (!path.isEmpty()) save_recipe_to(path);
  return !path.isEmpty();
}

void MainWindow::remember(const QString& path) {
  auto settings = std::make_unique<QSettings>();
  const QString key = QStringLiteral("recent_files");
  QStringList recent = settings->value(key).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  recent.removeAll(absolute);
  recent.prepend(absolute);
  settings->setValue(key, QStringList(recent.mid(0, most_recent)));
  // All windows of this process see the change at once, without waiting for the disk.
  settings->moveToThread(nullptr);
  in_background(
      QCoreApplication::instance(),
      [kept = std::shared_ptr<QSettings>(std::move(settings))]() mutable { kept.reset(); }, [] {});
}

}  // namespace sfumato::gui
