// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The recipe on one frame after another, as fast as the device goes.
#pragma once

#include <QImage>
#include <QObject>
#include <QVideoFrame>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/session.hpp"
#include "video/frame_pixels.hpp"

namespace sfumato::gui {

/// Answers the newest frame: what comes while one is in work replaces what waits, and a frame in
/// work is finished, so that something is always shown; but a slow one is dropped where the recipe
/// is no longer the same. Eight bits from end to end. Signals come on the thread of this object;
/// the work is done elsewhere.
class VideoRunner : public QObject {
  Q_OBJECT

 public:
  explicit VideoRunner(SessionOptions options = {}, QObject* parent = nullptr);
  /// Cancels what is in work and waits for it.
  ~VideoRunner() override;

  /// Any thread.
  void show(const QVideoFrame& frame);
  /// Another movie: what is in work or waits is not rendered() any more. The object's own thread.
  void forget();
  /// Another device or memory limit, from the next frame on.
  void set_session(SessionOptions options);
  /// Runs the recipe on what was shown last as well.
  void set_recipe(const Recipe& recipe);

 Q_SIGNALS:
  /// One frame, before and after, and how many the last second had. The images hold their memory.
  void rendered(const QImage& before, const QImage& after, double frames_per_second);
  /// One calm sentence; once for every recipe that fails.
  void failed(const QString& sentence);
  /// What the engine says while it goes on: a device failed, another one takes over.
  void warned(const QString& sentence);
  /// A frame has been in work for seconds; once for every recipe.
  void slow();

 private:
  struct Job {
    QVideoFrame frame;
    Recipe recipe;
    int recipe_number = 0, movie = 0;
  };
  std::unique_ptr<Renderer> open_session(SessionOptions options);
  void work();
  void answer(const Job& job);
  bool goes_on(const Job& job, std::chrono::steady_clock::time_point started);
  double counted();

  std::unique_ptr<Renderer> session_;
  FramePool frames_;
  std::vector<std::chrono::steady_clock::time_point> done_;  // of the last second
  std::mutex mutex_;
  std::condition_variable wake_;
  Job newest_;
  std::optional<SessionOptions> next_session_;
  bool waiting_ = false, stop_ = false;
  int failed_recipe_ = -1, slow_recipe_ = -1;
  std::thread thread_;
};

}  // namespace sfumato::gui
