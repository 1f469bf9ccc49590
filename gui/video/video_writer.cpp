// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Raw frames from one ffmpeg, through the engine, to another or to picture files.
#include "video/video_writer.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

#include "video/frame_pixels.hpp"

namespace sfumato::gui {
namespace {

constexpr int patience = 100;  // ms between looks whether anybody still wants it

QString program(const char* name) {
  return QStandardPaths::findExecutable(QLatin1String(name));
}

QStringList words(const char* text) {
  return QString::fromLatin1(text).split(QLatin1Char(' '));
}

std::filesystem::path native(const QString& path) {
  return std::filesystem::path(QFile::encodeName(path).toStdString());
}

[[noreturn]] void fail(const QString& sentence) {
  throw std::runtime_error(sentence.toStdString());
}

// What a program said of its failure: its last line.
QString last_words(QProcess& process) {
  const QString all = QString::fromUtf8(process.readAllStandardError()).trimmed();
  return all.section(QLatin1Char('\n'), -1);
}

struct MovieInfo {
  int width = 0, height = 0;
  QString rate;       // frames a second, a fraction as ffmpeg takes it
  double frames = 0;  // about how many; 0: not known
};

MovieInfo info_of(const QString& path) {
  QProcess probe;
  probe.start(program("ffprobe"), words("-v error -select_streams v:0 -show_entries "
                                        "stream=width,height,r_frame_rate:stream_side_data="
                                        "rotation:format=duration -of default=nk=0:nw=1") +
                                      QStringList{path});
  if (!probe.waitForFinished(-1) || probe.exitCode() != 0) {
    fail(VideoWriter::tr("%1 cannot be read: %2").arg(path, last_words(probe)));
  }
  MovieInfo info;
  double seconds = 0;
  bool turned = false;
  for (const QString& line :
       QString::fromUtf8(probe.readAllStandardOutput()).split(QLatin1Char('\n'))) {
    const QString name = line.section(QLatin1Char('='), 0, 0),
                  value = line.section(QLatin1Char('='), 1).trimmed();
    if (name == QLatin1String("width")) info.width = value.toInt();
    if (name == QLatin1String("height")) info.height = value.toInt();
    if (name == QLatin1String("r_frame_rate")) info.rate = value;
    if (name == QLatin1String("duration")) seconds = value.toDouble();
    if (name == QLatin1String("rotation")) turned = value.toInt() % 180 != 0;
  }
  if (turned) std::swap(info.width, info.height);
  if (info.width <= 0 || info.height <= 0) fail(VideoWriter::tr("%1 holds no movie.").arg(path));
  const double over = info.rate.section(QLatin1Char('/'), 0, 0).toDouble(),
               under = info.rate.section(QLatin1Char('/'), 1).toDouble();
  if (under > 0) info.frames = seconds * over / under;
  return info;
}

// Decodes one frame after another, turned as they are shown, at an even rate.
class FrameReader {
 public:
  FrameReader(const QString& path, const MovieInfo& info) {
    process_.start(program("ffmpeg"), words("-v error -nostdin -i") + QStringList{path} +
                                          words("-map 0:v:0 -fps_mode cfr -r") +
                                          QStringList{info.rate} +
                                          words("-f rawvideo -pix_fmt rgb24 pipe:1"));
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
      if (process_.waitForReadyRead(patience) || process_.bytesAvailable() > 0) continue;
      if (process_.state() == QProcess::NotRunning) break;
    }
    if (got == frame.bytes.size()) return true;
    if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0 || got > 0) {
      fail(VideoWriter::tr("The movie cannot be read on: %1").arg(last_words(process_)));
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

// Where filtered frames go.
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
  }

  void write(const HeldPicture& frame) override {
    const QFileInfo file(path_);
    const QString name = QStringLiteral("%1/%2_%3.%4")
                             .arg(file.path(), file.completeBaseName())
                             .arg(++count_, 5, 10, QLatin1Char('0'))
                             .arg(file.suffix());
    const auto picture = create_picture(native(name), options_, frame.format);
    picture->write(frame.view());
    picture->commit();
  }

 private:
  QString path_;
  WriteOptions options_;
  int count_ = 0;
};

class MovieTarget final : public FrameTarget {
 public:
  MovieTarget(const VideoJob& job, const MovieInfo& info) : path_(job.output) {
    overwrite_ = job.overwrite;
    const QFileInfo file(path_);
    part_ =
        QStringLiteral("%1/.%2.part.%3").arg(file.path(), file.completeBaseName(), file.suffix());
    const QString size = QStringLiteral("%1x%2").arg(info.width).arg(info.height);
    // Half of the chroma is kept each way, for which sides must be even.
    process_.start(program("ffmpeg"),
                   words("-v error -y -f rawvideo -pix_fmt rgb24 -s") + QStringList{size} +
                       words("-r") + QStringList{info.rate} + words("-i pipe:0 -i") +
                       QStringList{job.input} +
                       words("-map 0:v -map 1:a? -c:a copy -c:v libx264 -crf 18 -preset veryfast "
                             "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -pix_fmt yuv420p -shortest") +
                       QStringList{part_});
  }

  ~MovieTarget() override {
    if (process_.state() != QProcess::NotRunning) {
      process_.kill();
      process_.waitForFinished();
    }
    QFile::remove(part_);
  }

  void write(const HeldPicture& frame) override {
    process_.write(frame.bytes.data(), static_cast<qint64>(frame.bytes.size()));
    while (process_.bytesToWrite() > 0) {
      if (process_.waitForBytesWritten(patience)) continue;
      if (process_.state() == QProcess::NotRunning) {
        fail(VideoWriter::tr("The movie cannot be written: %1").arg(last_words(process_)));
      }
    }
  }

  void commit() override {
    process_.closeWriteChannel();
    if (!process_.waitForFinished(-1) || process_.exitCode() != 0) {
      fail(VideoWriter::tr("The movie cannot be written: %1").arg(last_words(process_)));
    }
    if (!overwrite_ && QFileInfo::exists(path_)) {  // by now
      fail(VideoWriter::tr("%1 is there already.").arg(path_));
    }
    std::filesystem::rename(native(part_), native(path_));
  }

 private:
  QString path_, part_;
  bool overwrite_ = false;
  QProcess process_;
};

bool is_sequence(const QString& output) {
  return format_of(native(output)) != nullptr;
}

std::unique_ptr<FrameTarget> target_of(const VideoJob& job, const MovieInfo& info) {
  if (QFileInfo(job.input) == QFileInfo(job.output)) {
    fail(VideoWriter::tr("A movie cannot be written over itself."));
  }
  const QString there = job.overwrite ? QString() : VideoWriter::in_the_way(job.output);
  if (!there.isEmpty()) fail(VideoWriter::tr("%1 is there already.").arg(there));
  if (is_sequence(job.output)) return std::make_unique<SequenceTarget>(job);
  return std::make_unique<MovieTarget>(job, info);
}

}  // namespace

bool VideoWriter::is_available() {
  return !program("ffmpeg").isEmpty() && !program("ffprobe").isEmpty();
}

QString VideoWriter::in_the_way(const QString& output) {
  const QFileInfo file(output);
  if (!is_sequence(output)) return file.exists() ? output : QString();
  const QString base = file.completeBaseName() + QLatin1Char('_'),
                end = QLatin1Char('.') + file.suffix();
  for (const QString& name : file.dir().entryList(QDir::Files, QDir::Name)) {
    if (!name.startsWith(base) || !name.endsWith(end)) continue;
    const QString number = name.mid(base.size(), name.size() - base.size() - end.size());
    const bool digits = std::all_of(number.begin(), number.end(), [](QChar c) {
      return c >= QLatin1Char('0') && c <= QLatin1Char('9');
    });
    if (digits && number.size() >= 5) return file.dir().filePath(name);
  }
  return {};
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
    const MovieInfo info = info_of(job.input);
    const auto target = target_of(job, info);
    FrameReader reader(job.input, info);
    Session session(job.session);
    RenderOptions options;
    options.progress = [this](double) { return !single_.cancelled(); };
    HeldPicture before = blank_picture(frame_format(info.width, info.height)), after = before;
    while (reader.read(before, single_)) {
      MemorySource source = before.source();
      MemorySink sink(after.format, after.view());
      session.render(job.recipe, source, sink, options);
      target->write(after);
      ++frames;
      if (info.frames > 0) Q_EMIT progressed(std::min(1.0, frames / info.frames));
    }
    if (single_.cancelled()) throw Cancelled();
    target->commit();
    written = true;
  } catch (const Cancelled&) {
    // as it was asked for
  } catch (const std::exception& error) {
    fault = QString::fromUtf8(error.what());
  }
  single_.done();
  Q_EMIT finished(written, fault, frames);
}

}  // namespace sfumato::gui
