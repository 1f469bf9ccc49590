// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the program ffprobe tells of a movie.
#pragma once

#include <QProcess>
#include <QString>

#include "document/single_job.hpp"
#include "video/pixel_shape.hpp"

namespace sfumato::gui {

struct MovieInfo {
  int width = 0, height = 0;  ///< of its frames in pixels: turned as it is shown
  PixelRatio pixel;           ///< turned, too
  QString rate;               ///< frames a second, a fraction as ffmpeg takes it
  double frames = 0;          ///< about how many; 0: not known
  /// From luma and chroma to colours, the same that is used to show it: a name as ffmpeg's filter
  /// takes it ("bt601", "bt709", "bt2020").
  QString matrix;
  QString primaries, transfer;  ///< as the movie names them; empty: it does not
};

/// Waits for ffprobe; throws Cancelled, or std::runtime_error with a sentence.
MovieInfo info_of(const QString& path, const SingleJob& job);

/// What ffprobe says of the movie, asked for by these words. Throws as info_of() does.
QString probe(const QString& path, const QString& words, const SingleJob& job);

/// How many frames the movie's file holds, as ffprobe counts them. Throws as info_of() does.
int count_frames(const QString& path, const SingleJob& job);

/// The even rate at which a movie is read, of the two that ffprobe tells: `lowest` is the least
/// that every moment of a frame fits into, and thousands where frames come unevenly.
QString even_rate(const QString& lowest, const QString& average);

/// What a program that failed says of it, on one line: the first complaint, which tells the cause,
/// and the last one.
QString complaint_of(QProcess& process);

/// Waits until the program ends; false where it failed. Throws Cancelled.
bool ended_well(QProcess& process, const SingleJob& job);

}  // namespace sfumato::gui
