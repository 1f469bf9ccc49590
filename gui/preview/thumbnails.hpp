// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Thumbnails of every filter's effect on the picture, made in idle time.
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

/// One filter after another with its defaults, by the scalar reference (no program to compile), on
/// a low-priority thread. Filters that need another picture, fail or take too long have no
/// thumbnail. A new picture drops the work on the old one. Functions and signals: on this object's
/// thread.
class Thumbnails : public QObject {
  Q_OBJECT

 public:
  /// The longer side of a thumbnail, in px, at most.
  static constexpr int side = 160;

  /// `limit`: processor time allowed per filter.
  explicit Thumbnails(std::chrono::milliseconds limit = std::chrono::milliseconds(500),
                      QObject* parent = nullptr);
  /// Cancels the running work and waits for it.
  ~Thumbnails() override;

  /// Starts over; null: shows nothing. Setting the same picture again changes nothing.
  void set_picture(PicturePtr picture);
  /// Pauses work at once while `hold`: the preview has priority.
  void pause(bool hold);

  /// The screen's ICC profile; empty: sRGB. A different one starts over.
  void set_screen_profile(const QByteArray& profile);

  /// The picture itself at thumbnail size; null if there is none, or not yet.
  const QImage& original() const { return original_; }
  /// For the picture set last; null if there is none, or not yet.
  QImage thumbnail(const std::string& filter) const;

 Q_SIGNALS:
  /// original() is available.
  void began();
  /// Upright, as shown on the screen.
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
  // Changed under the lock and read without it: the window never waits for a low-priority thread.
  std::atomic<int> newest_ = 0;  // counts pictures
  std::atomic<bool> stop_ = false, held_ = false;
  std::unique_ptr<Renderer> session_;
  std::thread thread_;
};

}  // namespace sfumato::gui
