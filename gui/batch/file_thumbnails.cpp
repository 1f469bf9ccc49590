// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures are read as everywhere else, in a process that can do nothing else, and made small strip
// by strip.
#include "batch/file_thumbnails.hpp"

#include <algorithm>
#include <utility>

#include "document/low_priority.hpp"
#include "document/paths.hpp"
#include "image/reduce.hpp"
#include "preview/display.hpp"

namespace sfumato::gui {
namespace {

constexpr int most_kept = 3000;                                  // thumbnails of about 30 KB each
constexpr std::size_t most_waiting = 200;                        // more than any list shows at once
constexpr std::int64_t most_pixels = std::int64_t{400} << 20;    // seconds of decoding
constexpr std::size_t most_for_decoding = std::size_t{1} << 30;  // bytes

// The picture, `factor` times smaller, in floats.
HeldPicture reduced_in_strips(InputPicture& picture, int factor,
                              const std::function<bool()>& given_up) {
  const PictureFormat& format = picture.format();
  HeldPicture small = blank_picture(reduced_format(format, factor));
  const int rows = (64 + factor - 1) / factor * factor;
  PictureFormat part = format;
  part.height = std::min(rows, format.height);
  HeldPicture strip = blank_picture(part);
  for (int y = 0; y < format.height; y += rows) {
    if (given_up && given_up()) throw Cancelled();
    strip.format.height = std::min(rows, format.height - y);
    const HostView from = strip.view();
    picture.read({0, y, format.width, y + strip.format.height}, from.data, from.row_stride);
    HostView to = small.view();
    to.data = to.row(y / factor);
    to.region.y1 = reduced_format(strip.format, factor).height;
    reduce(from, strip.format, factor, to, ParallelRows());
  }
  return small;
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

QImage FileThumbnails::read(const QString& path, const std::function<bool()>& given_up) {
  try {
    const auto picture = open_picture(native_path(path));
    const PictureFormat& format = picture->format();
    const PictureInfo& info = picture->info();
    if (std::int64_t{format.width} * format.height > most_pixels ||
        info.working_bytes > most_for_decoding) {
      return {};
    }
    const int factor = std::max(1, std::max(format.width, format.height) / side);
    const HeldPicture small = reduced_in_strips(*picture, factor, given_up);
    const std::vector<unsigned char> plain = plain_profile(info.icc_profile, info.path);
    const QByteArray profile(reinterpret_cast<const char*>(plain.data()),
                             static_cast<qsizetype>(plain.size()));
    const QImage image = upright(to_display(small, profile, 0), info.orientation);
    if (image.width() <= side && image.height() <= side) return image;
    const QSize size = image.size().scaled(side, side, Qt::KeepAspectRatio).expandedTo({1, 1});
    return image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
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
    const QImage image = read(path, [this] { return stop_.load(); });
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
