// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Qt decodes JPEG files at a reduced size; the core reads everything else.
#include "batch/file_thumbnails.hpp"

#include <QColorSpace>
#include <QImageReader>
#include <algorithm>
#include <utility>

#include "document/low_priority.hpp"
#include "document/opened_picture.hpp"
#include "document/paths.hpp"
#include "preview/display.hpp"
#include "preview/reduced_picture.hpp"

namespace sfumato::gui {
namespace {

constexpr int most_kept = 3000;                 // thumbnails of about 30 KB each
constexpr std::size_t most_waiting = 200;       // more than any list shows at once
constexpr std::int64_t most_pixels = 60 << 20;  // for files that must be read whole

QSize small_size(const QSize& size) {
  return size.scaled(FileThumbnails::side, FileThumbnails::side, Qt::KeepAspectRatio)
      .expandedTo({1, 1});
}

QImage read_by_qt(const QString& path) {
  QImageReader reader(path);
  reader.setAutoTransform(true);
  const QSize size = reader.size();
  if (!size.isValid()) return {};
  const bool smaller = size.width() > FileThumbnails::side || size.height() > FileThumbnails::side;
  if (smaller) reader.setScaledSize(small_size(size));
  QImage image = reader.read();
  if (image.colorSpace().isValid()) image.convertToColorSpace(QColorSpace::SRgb);
  return image;
}

QImage read_by_core(const QString& path) {
  const auto input = open_picture(native_path(path));
  const PictureFormat& format = input->format();
  if (std::int64_t{format.width} * format.height > most_pixels) return {};
  const PicturePtr picture = open_whole(native_path(path));
  const int longer = std::max(format.width, format.height);
  const int factor = std::max(1, longer / FileThumbnails::side);
  ReducedPictures pictures;
  const ReducedPtr reduced = pictures.at(picture, factor, ParallelRows());
  const QImage image = shown(reduced->pixels(), *picture, 0, {});
  return image.width() > FileThumbnails::side || image.height() > FileThumbnails::side
             ? image.scaled(small_size(image.size()), Qt::IgnoreAspectRatio,
                            Qt::SmoothTransformation)
             : image;
}

}  // namespace

FileThumbnails::FileThumbnails(QObject* parent) : QObject(parent), kept_(most_kept) {
  start_drawing_threads();
  thread_ = std::thread([this] { work(); });
}

FileThumbnails::~FileThumbnails() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

QImage FileThumbnails::thumbnail(const QString& path) {
  if (const QImage* image = kept_.object(path)) return *image;
  if (!wanted_.insert(path).second) return {};
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_front(path);
    if (waiting_.size() > most_waiting) {
      wanted_.erase(waiting_.back());
      waiting_.pop_back();
    }
  }
  wake_.notify_all();
  return {};
}

QImage FileThumbnails::read(const QString& path) {
  try {
    const QImage image = read_by_qt(path);
    return image.isNull() ? read_by_core(path) : image;
  } catch (const std::exception&) {
    return {};  // errors are reported when the file is filtered
  }
}

void FileThumbnails::work() {
  lower_priority();
  while (true) {
    QString path;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
      if (stop_) return;
      path = std::move(waiting_.front());
      waiting_.pop_front();
    }
    const QImage image = read(path);
    QMetaObject::invokeMethod(
        this,
        [this, path, image] {
          wanted_.erase(path);
          kept_.insert(path, new QImage(image));
          Q_EMIT ready(path);
        },
        Qt::QueuedConnection);
  }
}

}  // namespace sfumato::gui
