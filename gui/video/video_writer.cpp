// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Raw frames from one ffmpeg process through the engine to another, or to picture files.
#include "video/video_writer.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "video/frame_pixels.hpp"
#include "video/movie_info.hpp"
#include "video/movie_sound.hpp"
#include "video/part_file.hpp"

namespace sfumato::gui {
namespace {

constexpr int look_again = 100;  // ms between checks for cancellation

QString program(const char* name) {
  return QStandardPaths::findExecutable(QLatin1String(name));
}

QStringList split_words(const char* text) {
  return QString::fromLatin1(text).split(QLatin1Char(' '));
}

[[noreturn]] void fail(const QString& sentence) {
  throw std::runtime_error(sentence.toStdString());
}

// Decodes frames in order, rotated as shown, at a constant rate.
class FrameReader {
 public:
  FrameReader(const QString& path, const MovieInfo& info) {
    // As in read_pixels(): rounded, with each chroma sample used for four pixels.
    const QString filter = QStringLiteral(
                               "scale=in_color_matrix=%1:flags=neighbor+accurate_rnd+"
                               "full_chroma_int,format=rgb24")
                               .arg(info.matrix);
    process_.start(program("ffmpeg"), split_words("-v error -nostdin -i") + QStringList{path} +
                                          split_words("-map 0:v:0 -fps_mode cfr -r") +
                                          QStringList{info.rate} + split_words("-vf") +
                                          QStringList{filter} +
                                          split_words("-f rawvideo -pix_fmt rgb24 pipe:1"));
  }

  // False at the end. Throws Cancelled.
  bool read(HeldPicture& frame, const SingleJob& job) {
    std::size_t got = 0;
    while (got < frame.bytes.size()) {
      const qint64 more =
          process_.read(frame.bytes.data() + got, static_cast<qint64>(frame.bytes.size() - got));
      if (more > 0) {
        got += static_cast<std::size_t>(more);
        continue;
      }
      if (job.cancelled()) throw Cancelled();
      if (process_.waitForReadyRead(look_again) || process_.bytesAvailable() > 0) continue;
      if (process_.state() == QProcess::NotRunning) break;
    }
    if (got == frame.bytes.size()) return true;
    if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0 || got > 0) {
      fail(VideoWriter::tr("The movie cannot be read on: %1").arg(complaint_of(process_)));
    }
    return false;
  }

  ~FrameReader() {
    process_.kill();
    process_.waitForFinished();
  }

 private:
  QProcess process_;
};

bool is_sequence(const QString& output) {
  return format_of(native_path(output)) != nullptr;
}

// The name of a picture in a sequence, and the number in such a name; 0 if it is not part of the
// sequence.
QString numbered(const QString& output, int number) {
  const QFileInfo file(output);
  return QStringLiteral("%1/%2_%3.%4")
      .arg(file.path(), file.completeBaseName())
      .arg(number, 5, 10, QLatin1Char('0'))
      .arg(file.suffix());
}

int number_in(const QString& output, const QString& name) {
  const QString base = QFileInfo(output).completeBaseName() + QLatin1Char('_');
  const int number = name.mid(base.size()).section(QLatin1Char('.'), 0, 0).toInt();
  return number > 0 && QFileInfo(numbered(output, number)).fileName() == name ? number : 0;
}

// The destination of filtered frames.
class FrameTarget {
 public:
  virtual ~FrameTarget() = default;
  virtual void write(const HeldPicture& frame) = 0;
  virtual void commit() {}
};

class SequenceTarget final : public FrameTarget {
 public:
  explicit SequenceTarget(const VideoJob& job) : path_(job.output) {
    options_.overwrite = job.overwrite;
    if (job.overwrite) before_ = VideoWriter::in_the_way(job.output);
  }

  void write(const HeldPicture& frame) override {
    const QString name = numbered(path_, ++count_);
    const auto picture = create_picture(native_path(name), options_, frame.format);
    picture->write(frame.view());
    picture->commit();
  }

  // The remainder of a longer old sequence must not follow the new one.
  void commit() override {
    for (const QString& name : std::as_const(before_)) {
      if (number_in(path_, QFileInfo(name).fileName()) > count_) QFile::remove(name);
    }
  }

 private:
  QString path_;
  WriteOptions options_;
  QStringList before_;
  int count_ = 0;
};

// Colour tags of a written movie: those of the input, if known.
QStringList colour_tags(const MovieInfo& info) {
  const bool small = info.matrix == QLatin1String("bt601");
  const QString usual = small ? QStringLiteral("smpte170m") : QStringLiteral("bt709");
  const auto known = [&usual](const QString& name, const char* names) {
    return !name.isEmpty() && split_words(names).contains(name) ? name : usual;
  };
  return split_words("-color_range tv -colorspace") +
         QStringList{
             usual, QStringLiteral("-color_primaries"),
             known(info.primaries, "bt709 bt470bg smpte170m bt2020"), QStringLiteral("-color_trc"),
             known(info.transfer, "bt709 smpte170m iec61966-2-1 smpte2084 arib-std-b67 bt2020-10")};
}

class MovieTarget final : public FrameTarget {
 public:
  MovieTarget(const VideoJob& job, const MovieInfo& info, const SingleJob& single)
      : part_(job.output), overwrite_(job.overwrite), single_(single) {
    const QString size = QStringLiteral("%1x%2").arg(info.width).arg(info.height);
    // Chroma is halved in both directions, which requires even sides. Without a matrix, ffmpeg
    // assumes that of small movies, which players do not use for large ones.
    const QString filter =
        QStringLiteral(
            "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=%1:out_range=tv:"
            "flags=area+accurate_rnd+full_chroma_inp,format=yuv420p,setsar=%2/%3")
            .arg(info.matrix == QLatin1String("bt601") ? info.matrix : QStringLiteral("bt709"))
            .arg(info.pixel.width)
            .arg(info.pixel.height);
    process_.start(program("ffmpeg"), split_words("-v error -y -f rawvideo -pix_fmt rgb24 -s") +
                                          QStringList{size} + split_words("-r") +
                                          QStringList{info.rate} + split_words("-i pipe:0 -i") +
                                          QStringList{job.input} + split_words("-map 0:v") +
                                          sound_options(sounds_of(job.input, single), job.output) +
                                          split_words("-c:v libx264 -crf 18 -preset veryfast -vf") +
                                          QStringList{filter} + split_words("-pix_fmt yuv420p") +
                                          colour_tags(info) + QStringList{part_.path()});
  }

  ~MovieTarget() override {
    if (process_.state() != QProcess::NotRunning) {
      process_.kill();
      process_.waitForFinished();
    }
  }

  void write(const HeldPicture& frame) override {
    process_.write(frame.bytes.data(), static_cast<qint64>(frame.bytes.size()));
    while (process_.bytesToWrite() > 0) {
      if (single_.cancelled()) throw Cancelled();
      if (process_.waitForBytesWritten(look_again)) continue;
      if (process_.state() == QProcess::NotRunning) {
        fail(VideoWriter::tr("The movie cannot be written: %1").arg(complaint_of(process_)));
      }
    }
    ++count_;
  }

  void commit() override {
    process_.closeWriteChannel();
    if (!ended_well(process_, single_)) {
      fail(VideoWriter::tr("The movie cannot be written: %1").arg(complaint_of(process_)));
    }
    const int kept = count_frames(part_.path(), single_);
    if (kept < count_) {
      fail(VideoWriter::tr("The movie cannot be written: only %1 of %2 frames were kept.")
               .arg(kept)
               .arg(count_));
    }
    part_.commit(overwrite_);
  }

 private:
  PartFile part_;
  bool overwrite_ = false;
  const SingleJob& single_;
  int count_ = 0;
  QProcess process_;
};

std::unique_ptr<FrameTarget> target_of(const VideoJob& job, const MovieInfo& info,
                                       const SingleJob& single) {
  if (QFileInfo(job.input) == QFileInfo(job.output)) {
    fail(VideoWriter::tr("A movie cannot be written over itself."));
  }
  const QStringList there = job.overwrite ? QStringList() : VideoWriter::in_the_way(job.output);
  if (!there.isEmpty()) fail(VideoWriter::tr("%1 is there already.").arg(there.front()));
  if (is_sequence(job.output)) return std::make_unique<SequenceTarget>(job);
  return std::make_unique<MovieTarget>(job, info, single);
}

}  // namespace

bool VideoWriter::is_available() {
  return !program("ffmpeg").isEmpty() && !program("ffprobe").isEmpty();
}

QStringList VideoWriter::in_the_way(const QString& output) {
  const QFileInfo file(output);
  if (!is_sequence(output)) return file.exists() ? QStringList{output} : QStringList();
  QStringList there;
  for (const QString& name : file.dir().entryList(QDir::Files, QDir::Name)) {
    if (number_in(output, name) > 0) there << file.dir().filePath(name);
  }
  return there;
}

bool VideoWriter::start(VideoJob job) {
  return single_.start([this, job = std::move(job)] { run(job); });
}

void VideoWriter::run(const VideoJob& job) {
  QString fault;
  bool written = false;
  int frames = 0;
  try {
    if (!is_available()) fail(tr("The program ffmpeg is not installed."));
    const MovieInfo info = info_of(job.input, single_);
    const auto target = target_of(job, info, single_);
    FrameReader reader(job.input, info);
    const auto session = make_session(job.session);
    RenderOptions options;
    options.progress = [this](double) { return !single_.cancelled(); };
    HeldPicture before = blank_picture(frame_format(info.width, info.height)), after = before;
    while (reader.read(before, single_)) {
      MemorySource source = before.source();
      MemorySink sink(after.format, after.view());
      session->render(job.recipe, source, sink, options);
      target->write(after);
      ++frames;
      if (info.frames > 0) Q_EMIT progressed(std::min(1.0, frames / info.frames));
    }
    if (single_.cancelled()) throw Cancelled();
    target->commit();
    written = true;
  } catch (const Cancelled&) {
    // as requested
  } catch (const std::exception& error) {
    fault = fault_of(error);
  }
  // No other movie may begin before the end of this one is reported: its owner would confuse the
  // two.
  QMetaObject::invokeMethod(
      this,
      [this, written, fault, frames] {
        single_.done();
        Q_EMIT finished(written, fault, frames);
      },
      Qt::QueuedConnection);
}

}  // namespace sfumato::gui
