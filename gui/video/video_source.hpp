// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Where frames come from: a movie file that plays, or a camera.
#pragma once

#include <QMediaCaptureSession>
#include <QMediaPlayer>
#include <QVideoFrame>
#include <QVideoSink>
#include <memory>

class QCamera;

namespace sfumato::gui {

/// A movie plays silently and begins again at its end; a camera runs until something else is
/// opened. GUI thread, but for frame().
class VideoSource : public QObject {
  Q_OBJECT

 public:
  explicit VideoSource(QObject* parent = nullptr);
  ~VideoSource() override;

  /// Shows the movie's first frame, and waits for play().
  void open(const QString& path);
  /// The system's own camera; failed() where there is none.
  void open_camera();
  static bool has_camera();
  /// Whether the name is that of a movie, and patterns for names of movies ("*.mp4 *.mov ...").
  static bool is_movie(const QString& path);
  static QString movie_patterns();
  bool is_camera() const { return camera_ != nullptr; }

  void play();
  void pause();
  bool is_playing() const;
  /// In ms from the beginning.
  void seek(qint64 position);
  qint64 position() const { return player_.position(); }
  /// In ms; 0: a camera, or nothing is open yet.
  qint64 duration() const { return player_.duration(); }

 Q_SIGNALS:
  /// On whatever thread decodes: to be connected directly, and to be left quickly.
  void frame(const QVideoFrame& frame);
  void position_changed(qint64 position);
  void duration_changed(qint64 duration);
  void playing_changed(bool playing);
  /// One calm sentence.
  void failed(const QString& sentence);

 private:
  void close_camera();

  QVideoSink sink_;
  QMediaPlayer player_;
  QMediaCaptureSession capture_;
  std::unique_ptr<QCamera> camera_;
};

}  // namespace sfumato::gui
