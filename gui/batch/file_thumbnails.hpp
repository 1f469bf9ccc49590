// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Small pictures of files, made while nothing else is to do.
#pragma once

#include <QCache>
#include <QImage>
#include <QObject>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace sfumato::gui {

/// One file after another, the one wanted last first, on a thread of low priority. What is not
/// wanted for long is forgotten: lists of thousands ask for what they show. Functions and signals:
/// on the thread of this object.
class FileThumbnails : public QObject {
  Q_OBJECT

 public:
  /// The longer side of a thumbnail, px.
  static constexpr int side = 112;

  explicit FileThumbnails(QObject* parent = nullptr);
  /// Waits for the file in work.
  ~FileThumbnails() override;

  /// Upright, in sRGB. Null: not made yet, and ready() comes when it is, or the file has none.
  QImage thumbnail(const QString& path);

  /// Of a file, any thread; null where it cannot be read or would take too much memory.
  static QImage read(const QString& path);

 Q_SIGNALS:
  void ready(const QString& path);

 private:
  void work();

  QCache<QString, QImage> kept_;
  std::set<QString> wanted_;  // that work() has not answered
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<QString> waiting_;  // the newest in front
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
