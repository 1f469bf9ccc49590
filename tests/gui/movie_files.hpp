// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies made and asked about by ffmpeg, and written by the writer.
#pragma once

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "video/video_writer.hpp"

namespace sfumato::testing {

/// Whether ffmpeg did it.
inline bool ffmpeg(const QString& options, const QString& output) {
  return QProcess::execute(QStringLiteral("ffmpeg"),
                           (QStringLiteral("-v error -y ") + options).split(QLatin1Char(' ')) +
                               QStringList{output}) == 0;
}

/// A movie of 50 frames, 320 x 180; empty where it cannot be made.
inline QString movie_in(const QTemporaryDir& folder) {
  const QString path = folder.filePath(QStringLiteral("movie.mp4"));
  const QString options = QStringLiteral(
      "-f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -f lavfi -i "
      "sine=duration=2 -pix_fmt yuv420p -c:a aac");
  return ffmpeg(options, path) ? path : QString();
}

/// What ffmpeg or ffprobe prints.
inline QString answer_of(const QString& program, const QString& options, const QString& file) {
  QProcess process;
  process.start(program, options.split(QLatin1Char(' ')) + QStringList{file});
  process.waitForFinished(180000);
  return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
}

/// What the writer said; empty: it is written.
inline QString written(const gui::VideoJob& job) {
  gui::VideoWriter writer;
  QSignalSpy finished(&writer, &gui::VideoWriter::finished);
  writer.start(job);
  if (finished.isEmpty() && !finished.wait(120000)) return QStringLiteral("never");
  return finished[0][0].toBool() ? QString() : finished[0][1].toString() + QLatin1Char('.');
}

}  // namespace sfumato::testing
