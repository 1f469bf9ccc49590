// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Properties of a movie, as reported by ffprobe.
#pragma once

#include <QProcess>
#include <QString>

#include "document/single_job.hpp"
#include "video/pixel_shape.hpp"

namespace sfumato::gui {

struct MovieInfo {
  int width = 0, height = 0;  ///< of its frames in pixels, rotated as shown
  PixelRatio pixel;           ///< rotated, too
  QString rate;               ///< frames per second, as a fraction in ffmpeg's notation
  double frames = 0;          ///< approximate number; 0: unknown
  /// The matrix from luma and chroma to colours that is also used for display, named as in ffmpeg's
  /// filter ("bt601", "bt709", "bt2020").
  QString matrix;
  QString primaries, transfer;  ///< as named by the movie; empty: unspecified
};

/// Waits for ffprobe; throws Cancelled, or std::runtime_error with a sentence.
MovieInfo info_of(const QString& path, const SingleJob& job);

/// The output of ffprobe for the movie with these arguments. Throws as info_of() does.
QString probe(const QString& path, const QString& words, const SingleJob& job);

/// The number of frames in the movie's file, as counted by ffprobe. Throws as info_of() does.
int count_frames(const QString& path, const SingleJob& job);

/// The constant rate at which to read a movie, from the two that ffprobe reports: `lowest` is the
/// smallest that represents every frame time, and is in the thousands if frames are irregular.
QString even_rate(const QString& lowest, const QString& average);

/// A failed program's error output on one line: the first line, which states the cause, and the
/// last one.
QString complaint_of(QProcess& process);

/// Waits for the program to end; false if it failed. Throws Cancelled.
bool ended_well(QProcess& process, const SingleJob& job);

}  // namespace sfumato::gui
