// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Qt Multimedia's player and camera, feeding one sink.
#include "video/video_source.hpp"

#include <QCamera>
#include <QFileInfo>
#include <QMediaDevices>
#include <QUrl>
#include <algorithm>
#include <array>

#include "document/paths.hpp"
#include "io/animation_output.hpp"

namespace sfumato::gui {
namespace {

constexpr std::array movie_suffixes = {"mp4", "mov", "mkv", "webm", "avi", "m4v", "mpg", "mpeg"};

// FFmpeg's decoders come with Qt Multimedia itself; GStreamer's may be missing.
bool prefer_ffmpeg() {
  if (!qEnvironmentVariableIsSet("QT_MEDIA_BACKEND")) qputenv("QT_MEDIA_BACKEND", "ffmpeg");
  return true;
}

}  // namespace

VideoSource::VideoSource(QObject* parent) : QObject((prefer_ffmpeg(), parent)) {
  player_.setVideoSink(&sink_);
  connect(&sink_, &QVideoSink::videoFrameChanged, this, &VideoSource::frame, Qt::DirectConnection);
  connect(&player_, &QMediaPlayer::positionChanged, this, &VideoSource::position_changed);
  connect(&player_, &QMediaPlayer::durationChanged, this, &VideoSource::duration_changed);
  // Qt 6.4 stops at the end of some movies although looping is enabled.
  connect(
      &player_, &QMediaPlayer::mediaStatusChanged, this,
      [this](QMediaPlayer::MediaStatus status) {
        if (status != QMediaPlayer::EndOfMedia || camera_) return;
        player_.setPosition(0);
        player_.play();
      },
      Qt::QueuedConnection);
  connect(&player_, &QMediaPlayer::playbackStateChanged, this,
          [this] { Q_EMIT playing_changed(is_playing()); });
  connect(&player_, &QMediaPlayer::errorOccurred, this,
          [this](QMediaPlayer::Error, const QString& why) {
            const QString name = QFileInfo(player_.source().toLocalFile()).fileName();
            Q_EMIT failed(tr("%1 cannot be played: %2").arg(name, why));
          });
}

VideoSource::~VideoSource() {
  // The decoder's threads end with the player, and must reach nobody from here on.
  player_.stop();
  player_.setVideoSink(nullptr);
  close_camera();
  sink_.disconnect(this);
}

void VideoSource::open(const QString& path) {
  close_camera();
  player_.setVideoSink(&sink_);
  player_.setSource(QUrl::fromLocalFile(QFileInfo(path).absoluteFilePath()));
  player_.pause();
}

bool VideoSource::has_camera() {
  prefer_ffmpeg();
  return !QMediaDevices::defaultVideoInput().isNull();
}

bool VideoSource::is_movie(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  return std::any_of(movie_suffixes.begin(), movie_suffixes.end(),
                     [&](const char* one) { return suffix == QLatin1String(one); });
}

QString VideoSource::written_suffix(const QString& movie) {
  const AnimationFormat* own = animation_format_of(native_path(movie));
  return own != nullptr && own->is_movie ? QString::fromStdString(own->extensions.front())
                                         : QStringLiteral("mp4");
}

QString VideoSource::movie_patterns() {
  QStringList patterns;
  for (const char* suffix : movie_suffixes) {
    patterns << QStringLiteral("*.%1").arg(QLatin1String(suffix));
  }
  return patterns.join(QLatin1Char(' '));
}

void VideoSource::open_camera() {
  player_.stop();
  player_.setSource(QUrl());
  close_camera();
  if (!has_camera()) {
    Q_EMIT failed(tr("There is no camera."));
    return;
  }
  camera_ = std::make_unique<QCamera>(QMediaDevices::defaultVideoInput());
  connect(camera_.get(), &QCamera::errorOccurred, this, [this](QCamera::Error, const QString& why) {
    Q_EMIT failed(tr("The camera cannot be used: %1").arg(why));
  });
  connect(camera_.get(), &QCamera::activeChanged, this, &VideoSource::playing_changed);
  player_.setVideoSink(nullptr);
  capture_.setCamera(camera_.get());
  capture_.setVideoSink(&sink_);
  camera_->start();
}

void VideoSource::close_camera() {
  if (!camera_) return;
  capture_.setVideoSink(nullptr);
  capture_.setCamera(nullptr);
  camera_.reset();
}

void VideoSource::play() {
  camera_ ? camera_->start() : player_.play();
}

void VideoSource::pause() {
  camera_ ? camera_->stop() : player_.pause();
}

bool VideoSource::is_playing() const {
  return camera_ ? camera_->isActive() : player_.playbackState() == QMediaPlayer::PlayingState;
}

void VideoSource::seek(qint64 position) {
  if (!camera_) player_.setPosition(position);
}

}  // namespace sfumato::gui
