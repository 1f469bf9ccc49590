// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The source of frames: a movie file that plays, or a camera.
#pragma once

#include <QVideoFrame>
#include <memory>

#include "video/movie_player.hpp"

namespace sfumato::gui {

/// A movie plays silently in a loop; a camera runs until something else is opened. GUI thread,
/// except for frame().
class VideoSource : public QObject {
  Q_OBJECT

 public:
  explicit VideoSource(QObject* parent = nullptr);
  ~VideoSource() override;

  /// Shows the movie's first frame and waits for play().
  void open(const QString& path);
  /// The system's default camera; failed() if there is none.
  void open_camera();
  static bool has_camera();
  /// Whether the name is a movie's, and name patterns for movies ("*.mp4 *.mov ...").
  static bool is_movie(const QString& path);
  static QString movie_patterns();
  /// The extension, without the dot, for what is made of a movie: its own, or "mp4" if such a movie
  /// cannot be written.
  static QString written_suffix(const QString& movie);
  bool is_camera() const { return camera_ != nullptr; }

  void play();
  void pause();
  bool is_playing() const;
  /// In ms from the start.
  void seek(qint64 position);
  qint64 position() const { return player_.position(); }
  /// In ms; 0 for a camera, or if nothing is open yet.
  qint64 duration() const { return player_.duration(); }

 Q_SIGNALS:
  /// Emitted on the decoding thread: connect directly, and return quickly.
  void frame(const QVideoFrame& frame);
  /// The shape of a movie's pixels, before its first frame.
  void opened(const sfumato::gui::PixelRatio& pixels);
  void position_changed(qint64 position);
  void duration_changed(qint64 duration);
  void playing_changed(bool playing);
  /// One unobtrusive sentence.
  void failed(const QString& sentence);

 private:
  struct Camera;

  MoviePlayer player_;
  std::unique_ptr<Camera> camera_;  // movies need nothing of Qt Multimedia's libraries
};

}  // namespace sfumato::gui
