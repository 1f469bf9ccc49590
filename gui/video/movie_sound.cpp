// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A table of the codecs that containers hold.
#include "video/movie_sound.hpp"

#include <QFileInfo>
#include <QMap>
#include <QRegularExpression>
#include <algorithm>
#include <array>

#include "video/movie_info.hpp"

namespace sfumato::gui {
namespace {

struct Container {
  const char* suffix;
  bool suggested;      // players expect H.264 in it
  const char* copied;  // audio codecs accepted by ffmpeg's muxer, by ffprobe's names
  const char* other;   // the codec for converting others
};

constexpr std::array containers = {
    Container{"mp4", true, "aac mp3 mp2 ac3 eac3 alac opus vorbis dts", "aac"},
    Container{"m4v", true, "aac alac", "aac"},
    Container{"mov", true,
              "aac mp3 mp2 ac3 eac3 alac dts pcm_s8 pcm_u8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be "
              "pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_alaw pcm_mulaw",
              "aac"},
    Container{"mkv", true,
              "aac mp3 mp2 ac3 eac3 alac opus vorbis dts flac truehd wavpack tta pcm_u8 pcm_s16le "
              "pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f64le pcm_alaw "
              "pcm_mulaw wmav1 wmav2 adpcm_ima_wav adpcm_ms",
              "aac"},
    Container{"avi", false,
              "aac mp3 mp2 ac3 eac3 dts pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_alaw pcm_mulaw "
              "wmav1 wmav2 adpcm_ima_wav adpcm_ms",
              "aac"},
    Container{"mpg", false, "mp2 mp3 ac3 dts", "ac3"},
    Container{"mpeg", false, "mp2 mp3 ac3 dts", "ac3"},
};

const Container* container_of(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const auto* found = std::find_if(containers.begin(), containers.end(), [&](const Container& one) {
    return suffix == QLatin1String(one.suffix);
  });
  return found == containers.end() ? nullptr : found;
}

// In kbit/s at 48 kHz: high enough to be transparent.
int rate_of(const Sound& sound) {
  return std::clamp(96 * sound.channels, 128, 640);
}

}  // namespace

QVector<Sound> sounds_of(const QString& path, const SingleJob& job) {
  const QString said = probe(path,
                             QStringLiteral("-v error -select_streams a -show_entries "
                                            "stream=index,codec_name,channels -of compact=nk=0"),
                             job);
  // Streams that belong to programs are listed twice.
  static const QRegularExpression stream(
      QStringLiteral("index=(\\d+)\\|codec_name=([^|\\s]*)\\|channels=(\\d+)"));
  QMap<int, Sound> sounds;
  for (auto match = stream.globalMatch(said); match.hasNext();) {
    const QRegularExpressionMatch one = match.next();
    sounds.insert(one.captured(1).toInt(), {one.captured(2), one.captured(3).toInt()});
  }
  return sounds.values();
}

QStringList sound_options(const QVector<Sound>& sounds, const QString& output) {
  const Container* container = container_of(output);
  const QStringList copied =
      QString::fromLatin1(container != nullptr ? container->copied : "aac").split(QLatin1Char(' '));
  const QString other = QLatin1String(container != nullptr ? container->other : "aac");
  QStringList options;
  int kept = 0;
  for (int i = 0; i < sounds.size(); ++i) {
    if (sounds[i].codec.isEmpty() || sounds[i].codec == QLatin1String("unknown")) continue;
    const bool copy = copied.contains(sounds[i].codec);
    options << QStringLiteral("-map") << QStringLiteral("1:a:%1").arg(i)
            << QStringLiteral("-c:a:%1").arg(kept) << (copy ? QStringLiteral("copy") : other);
    if (!copy) {
      options << QStringLiteral("-b:a:%1").arg(kept)
              << QStringLiteral("%1k").arg(rate_of(sounds[i]));
    }
    ++kept;
  }
  return options;
}

QString movie_suffix(const QString& input) {
  const Container* container = container_of(input);
  return QLatin1String(container != nullptr && container->suggested ? container->suffix : "mp4");
}

}  // namespace sfumato::gui
