// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs the recipe on successive frames, as fast as the device allows.
#pragma once

#include <QImage>
#include <QObject>
#include <QVideoFrame>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/session.hpp"
#include "video/frame_pixels.hpp"

namespace sfumato::gui {

/// Processes the newest frame: an incoming one replaces the waiting one, while the running one is
/// finished, so that something is always shown. A slow frame is dropped if the recipe has changed.
/// Eight bits throughout. Signals come on this object's thread; the work is done elsewhere.
class VideoRunner : public QObject {
  Q_OBJECT

 public:
  explicit VideoRunner(SessionOptions options = {}, QObject* parent = nullptr);
  /// Cancels the running frame and waits for it.
  ~VideoRunner() override;

  /// Thread-safe.
  void show(const QVideoFrame& frame);
  /// For another movie: pending frames are no longer rendered(). This object's thread only.
  void forget();
  /// Uses another device or memory limit from the next frame on.
  void set_session(SessionOptions options);
  /// Also runs the recipe on the last frame again.
  void set_recipe(const Recipe& recipe);

 Q_SIGNALS:
  /// One frame, before and after, and the number of frames in the last second. The images own their
  /// memory.
  void rendered(const QImage& before, const QImage& after, double frames_per_second);
  /// One unobtrusive sentence, once per failing recipe.
  void failed(const QString& sentence);
  /// A message from the engine: a device failed and another one takes over.
  void warned(const QString& sentence);
  /// A frame has been running for seconds; emitted once per recipe.
  void slow();

 private:
  struct Job {
    QVideoFrame frame;
    Recipe recipe;
    int recipe_number = 0, movie = 0;
    std::int64_t number = 0;  // of the frame, in the order of showing
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
