// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Thumbnails of files, made in idle time.
#pragma once

#include <QCache>
#include <QImage>
#include <QObject>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace sfumato::gui {

/// One file at a time, the most recently requested first, on a low-priority thread. Old requests
/// are dropped, since lists of thousands request what they show. Functions and signals: on this
/// object's thread.
class FileThumbnails : public QObject {
  Q_OBJECT

 public:
  /// The longer side of a thumbnail, in px.
  static constexpr int side = 112;

  explicit FileThumbnails(QObject* parent = nullptr);
  /// Waits for the next strip of the current file.
  ~FileThumbnails() override;

  /// Upright, in sRGB. Null if it is not made yet (ready() follows), or if the file has none.
  QImage thumbnail(const QString& path);

  /// The thumbnail of a file; thread-safe. Null if the file cannot be read, would take too much
  /// memory or time, or if `given_up` (which may be empty) returned true.
  static QImage read(const QString& path, const std::function<bool()>& given_up = {});

 Q_SIGNALS:
  void ready(const QString& path);

 private:
  void work();

  QCache<QString, QImage> kept_;
  std::set<QString> wanted_;  // not yet answered by work()
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<QString> waiting_;  // newest first
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
