// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What becomes of a movie's sound in another file.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "document/single_job.hpp"

namespace sfumato::gui {

/// One stream of sound.
struct Sound {
  QString codec;  ///< as ffprobe names it; "unknown": it can neither copy nor decode it
  int channels = 0;
};

/// The streams of a movie in their order. Waits for ffprobe; throws as info_of() does.
QVector<Sound> sounds_of(const QString& path, const SingleJob& job);

/// What ffmpeg is told of the streams of its second input: those that the container of `output`
/// holds are copied, others converted (to AAC where it holds that); unknown ones are left out.
QStringList sound_options(const QVector<Sound>& sounds, const QString& output);

/// The extension, without a dot, in which H.264 and sound are kept well: the input's own, or
/// "mp4".
QString movie_suffix(const QString& input);

}  // namespace sfumato::gui
