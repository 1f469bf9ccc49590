// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Our own player, and Qt Multimedia's camera.
#include "video/video_source.hpp"

#include <QCamera>
#include <QMediaCaptureSession>
#include <QMediaDevices>
#include <QVideoSink>

#include "batch/inputs.hpp"
#include "document/paths.hpp"
#include "io/animation_output.hpp"

namespace sfumato::gui {
namespace {

// This backend comes with Qt Multimedia itself; what GStreamer's needs may be missing.
bool prefer_ffmpeg() {
  if (!qEnvironmentVariableIsSet("QT_MEDIA_BACKEND")) qputenv("QT_MEDIA_BACKEND", "ffmpeg");
  return true;
}

}  // namespace

struct VideoSource::Camera {
  QVideoSink sink;
  QMediaCaptureSession session;
  QCamera camera{QMediaDevices::defaultVideoInput()};

  ~Camera() {
    session.setVideoSink(nullptr);
    session.setCamera(nullptr);
  }
};

VideoSource::VideoSource(QObject* parent) : QObject(parent) {
  connect(&player_, &MoviePlayer::frame, this, &VideoSource::frame, Qt::DirectConnection);
  connect(&player_, &MoviePlayer::opened, this, &VideoSource::opened);
  connect(&player_, &MoviePlayer::position_changed, this, &VideoSource::position_changed);
  connect(&player_, &MoviePlayer::duration_changed, this, &VideoSource::duration_changed);
  connect(&player_, &MoviePlayer::playing_changed, this, &VideoSource::playing_changed);
  connect(&player_, &MoviePlayer::failed, this, &VideoSource::failed);
}

VideoSource::~VideoSource() {
  player_.close();  // from here on, frames reach nobody
}

void VideoSource::open(const QString& path) {
  camera_.reset();
  player_.open(native_path(path));
}

bool VideoSource::has_camera() {
  prefer_ffmpeg();
  return !QMediaDevices::defaultVideoInput().isNull();
}

bool VideoSource::is_movie(const QString& path) {
  return has_movie_extension(native_path(path));
}

QString VideoSource::written_suffix(const QString& movie) {
  const AnimationFormat* own = animation_format_of(native_path(movie));
  return own != nullptr && own->is_movie ? QString::fromStdString(own->extensions.front())
                                         : QStringLiteral("mp4");
}

QString VideoSource::movie_patterns() {
  QStringList patterns;
  for (const std::string& extension : movie_extensions()) {
    patterns << QStringLiteral("*.") + QString::fromStdString(extension);
  }
  return patterns.join(QLatin1Char(' '));
}

void VideoSource::open_camera() {
  player_.close();
  camera_.reset();
  if (!has_camera()) {
    Q_EMIT failed(tr("There is no camera."));
    return;
  }
  camera_ = std::make_unique<Camera>();
  connect(&camera_->sink, &QVideoSink::videoFrameChanged, this, &VideoSource::frame,
          Qt::DirectConnection);
  connect(&camera_->camera, &QCamera::errorOccurred, this,
          [this](QCamera::Error, const QString& why) {
            Q_EMIT failed(tr("The camera cannot be used: %1").arg(why));
          });
  connect(&camera_->camera, &QCamera::activeChanged, this, &VideoSource::playing_changed);
  camera_->session.setCamera(&camera_->camera);
  camera_->session.setVideoSink(&camera_->sink);
  camera_->camera.start();
}

void VideoSource::play() {
  camera_ ? camera_->camera.start() : player_.play();
}

void VideoSource::pause() {
  camera_ ? camera_->camera.stop() : player_.pause();
}

bool VideoSource::is_playing() const {
  return camera_ ? camera_->camera.isActive() : player_.is_playing();
}

void VideoSource::seek(qint64 position) {
  if (!camera_) player_.seek(position);
}

}  // namespace sfumato::gui
