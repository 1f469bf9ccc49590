// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a movie's sound is carried over to another file.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "document/single_job.hpp"

namespace sfumato::gui {

/// One audio stream.
struct Sound {
  QString codec;  ///< as named by ffprobe; "unknown": it can be neither copied nor decoded
  int channels = 0;
};

/// A movie's audio streams, in order. Waits for ffprobe; throws as info_of() does.
QVector<Sound> sounds_of(const QString& path, const SingleJob& job);

/// The ffmpeg options for the audio streams of its second input: those that the container of
/// `output` holds are copied, others converted (to AAC if possible); unknown ones are left out.
QStringList sound_options(const QVector<Sound>& sounds, const QString& output);

/// The extension, without a dot, of a container suitable for H.264 and sound: the input's own, or
/// "mp4".
QString movie_suffix(const QString& input);

}  // namespace sfumato::gui
