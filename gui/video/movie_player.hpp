// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plays a movie silently, in a loop.
#pragma once

#include <QObject>
#include <QSize>
#include <QVideoFrame>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "io/movie_playback.hpp"

namespace sfumato::gui {

/// The shape of a displayed pixel.
struct PixelRatio {
  int width = 1, height = 1;

  /// The display size of a frame, in square pixels.
  QSize shown(QSize frame) const;
};

/// Frames are decoded by a confined program, so that a hostile movie costs a sentence at most. A
/// slow one is played slowly, without leaving frames out. Signals come on this object's thread,
/// except frame(). This object's thread only.
class MoviePlayer : public QObject {
  Q_OBJECT

 public:
  explicit MoviePlayer(QObject* parent = nullptr);
  /// Ends the decoder and waits for it.
  ~MoviePlayer() override;

  /// Shows the movie's first frame and waits for play().
  void open(const std::filesystem::path& path);
  /// No frame() follows.
  void close();
  void play();
  void pause();
  bool is_playing() const { return playing_; }
  /// In ms from the start. The newest request counts.
  void seek(qint64 position);
  /// Of the last frame, in ms.
  qint64 position() const { return position_; }
  /// In ms; 0 if it is not known.
  qint64 duration() const { return duration_; }

 Q_SIGNALS:
  /// Emitted on the decoding thread: connect directly, return quickly, and call nothing here.
  void frame(const QVideoFrame& frame);
  /// Before the first frame.
  void opened(const sfumato::gui::PixelRatio& pixels);
  void position_changed(qint64 position);
  void duration_changed(qint64 duration);
  void playing_changed(bool playing);
  /// One sentence. The movie is closed.
  void failed(const QString& sentence);

 private:
  using Clock = std::chrono::steady_clock;
  struct Wanted {
    std::filesystem::path path;  // empty: nothing
    double from = 0;             // seconds
    bool playing = false;
    int movie = 0, start = 0;  // counted up by open() and close(), and by these and seek()
  };
  struct Running;

  void change(const Wanted& wanted);
  void set_playing(bool playing);
  void work();
  void run(Running& now, const Wanted& wanted);
  void start(Running& now, const Wanted& wanted);
  void step(Running& now, const Wanted& wanted);
  QVideoFrame last_frame(Running& now, const Wanted& wanted);
  void show(Running& now, const QVideoFrame& picture, const Wanted& wanted);
  void wait_until(Clock::time_point due, int start);
  template <typename Act>
  void post(int movie, Act act);

  bool playing_ = false;
  qint64 position_ = 0, duration_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  Wanted wanted_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace sfumato::gui
