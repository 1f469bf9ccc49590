// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Renders movies as batches do, on a thread of its own.
#include "video/video_writer.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "io/render_animation.hpp"
#include "params/core_text.hpp"

namespace sfumato::gui {
namespace {

bool is_sequence(const QString& output) {
  return animation_format_of(native_path(output)) == nullptr &&
         format_of(native_path(output)) != nullptr;
}

// The name of a picture in a sequence, and the number in such a name; 0 if it is not part of the
// sequence.
QString numbered(const QString& output, std::int64_t number) {
  const QFileInfo file(output);
  return QStringLiteral("%1/%2_%3.%4")
      .arg(file.path(), file.completeBaseName())
      .arg(number, 5, 10, QLatin1Char('0'))
      .arg(file.suffix());
}

std::int64_t number_in(const QString& output, const QString& name) {
  const QString base = QFileInfo(output).completeBaseName() + QLatin1Char('_');
  const int number = name.mid(base.size()).section(QLatin1Char('.'), 0, 0).toInt();
  return number > 0 && QFileInfo(numbered(output, number)).fileName() == name ? number : 0;
}

// The remainder of a longer old sequence must not follow the new one.
void remove_beyond(const QString& output, std::int64_t count) {
  for (const QString& path : VideoWriter::in_the_way(output)) {
    if (number_in(output, QFileInfo(path).fileName()) > count) QFile::remove(path);
  }
}

void refuse_existing_files(const VideoJob& job) {
  const auto refuse = [](const QString& sentence) {
    throw std::runtime_error(sentence.toStdString());
  };
  if (QFileInfo(job.input) == QFileInfo(job.output)) {
    refuse(VideoWriter::tr("A movie cannot be written over itself."));
  }
  const QStringList there = job.overwrite ? QStringList() : VideoWriter::in_the_way(job.output);
  if (!there.isEmpty()) refuse(VideoWriter::tr("%1 is there already.").arg(there.front()));
}

}  // namespace

bool VideoWriter::is_available() {
  return !QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty() &&
         !QStandardPaths::findExecutable(QStringLiteral("ffprobe")).isEmpty();
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

FileJob VideoWriter::file_job(const VideoJob& job, QStringList& warnings) {
  FileJob file;
  file.input = native_path(job.input);
  file.output = native_path(job.output);
  file.recipe = job.recipe;
  file.write.overwrite = job.overwrite;
  file.cancelled = [this] { return single_.cancelled(); };
  file.read.movies = std::make_shared<Movies>(MoviePrograms{file.cancelled});
  file.warn = [&warnings](const Message& warning) {
    const QString sentence = core_text(warning);
    if (!warnings.contains(sentence)) warnings << sentence;
  };
  return file;
}

std::int64_t VideoWriter::write_movie(Renderer& renderer, FileJob job) {
  job.progress = [this](double part) { Q_EMIT progressed(part); };
  AnimationRender render(std::move(job), true);
  render.open_input();
  render.begin_output();
  render.filter(renderer);
  render.commit();
  return render.pictures();
}

void VideoWriter::write_pictures(Renderer& renderer, const FileJob& job, const QString& output,
                                 std::int64_t& written) {
  const std::int64_t count = job.read.movies->count(job.input).pictures;
  while (written < count) {
    FileJob one = job;
    one.read.frame = written + 1;
    one.output = native_path(numbered(output, written + 1));
    render_file(renderer, std::move(one));
    ++written;
    Q_EMIT progressed(static_cast<double>(written) / static_cast<double>(count));
  }
  if (job.write.overwrite) remove_beyond(output, count);
}

void VideoWriter::run(const VideoJob& job) {
  QString fault;
  QStringList warnings;
  bool written = false;
  std::int64_t frames = 0;
  try {
    if (!is_available()) {
      throw std::runtime_error(tr("The program ffmpeg is not installed.").toStdString());
    }
    refuse_existing_files(job);
    const auto renderer = make_session(job.session);
    const FileJob file = file_job(job, warnings);
    if (is_sequence(job.output)) {
      write_pictures(*renderer, file, job.output, frames);
    } else {
      frames = write_movie(*renderer, file);
    }
    written = true;
  } catch (const Cancelled&) {
    // as requested
  } catch (const std::exception& error) {
    fault = fault_of(error);
  }
  if (written) fault = warnings.join(QLatin1Char(' '));
  // No other movie may begin before the end of this one is reported: its owner would confuse the
  // two.
  QMetaObject::invokeMethod(
      this,
      [this, written, fault, frames] {
        single_.done();
        Q_EMIT finished(written, fault, static_cast<int>(frames));
      },
      Qt::QueuedConnection);
}

}  // namespace sfumato::gui
