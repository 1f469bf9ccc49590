// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What every filter makes of the picture, small, worked out while nothing else is to do.
#pragma once

#include <QImage>
#include <QObject>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "document/opened_picture.hpp"
#include "engine/renderer.hpp"

namespace sfumato::gui {

/// One filter after another at its defaults, by the scalar reference (no program to compile), on a
/// thread of low priority. Filters that need another picture, fail or take too long have no
/// thumbnail. A new picture drops the work on the old one. Functions and signals: on the thread of
/// this object.
class Thumbnails : public QObject {
  Q_OBJECT

 public:
  /// The longer side of a thumbnail, px, at most.
  static constexpr int side = 160;

  /// `limit`: how much of a processor's time one filter may take.
  explicit Thumbnails(std::chrono::milliseconds limit = std::chrono::milliseconds(500),
                      QObject* parent = nullptr);
  /// Cancels what is in work and waits for it.
  ~Thumbnails() override;

  /// Begins again; null: shows nothing. The same picture again changes nothing.
  void set_picture(PicturePtr picture);
  /// Holds the work, at once, while `hold`: the preview comes first.
  void pause(bool hold);

  /// The screen's ICC profile; empty: sRGB. Another one starts again.
  void set_screen_profile(const QByteArray& profile);

  /// The picture itself, as small; null where there is none, or not yet.
  const QImage& original() const { return original_; }
  /// Of the picture that was set last; null where there is none, or not yet.
  QImage thumbnail(const std::string& filter) const;

 Q_SIGNALS:
  /// original() is there.
  void began();
  /// Upright, as the screen shows it.
  void ready(const std::string& filter, const QImage& image);
  /// Every filter has been tried on the picture.
  void finished();

 private:
  struct Small;
  void begin();
  void work();
  void try_all(const PicturePtr& picture, const QByteArray& profile, int number);
  QImage render(const std::string& filter, const Small& small, int number);
  bool go_on(int number);
  void post(int number, std::function<void()> body);

  const std::chrono::milliseconds limit_;
  PicturePtr picture_;  // on this object's thread
  QByteArray screen_profile_;
  QImage original_;
  std::map<std::string, QImage> images_;  // likewise

  std::mutex mutex_;
  std::condition_variable wake_;
  PicturePtr waiting_;
  QByteArray waiting_profile_;
  // Changed under the lock and read without it: the window never waits for a thread of low
  // priority.
  std::atomic<int> newest_ = 0;  // counts pictures
  std::atomic<bool> stop_ = false, held_ = false;
  std::unique_ptr<Renderer> session_;
  std::thread thread_;
};

}  // namespace sfumato::gui
