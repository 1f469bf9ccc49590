// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs ffprobe and interprets its output.
#include "video/movie_info.hpp"

#include <QHash>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "engine/session.hpp"
#include "video/video_writer.hpp"

namespace sfumato::gui {
namespace {

constexpr int patience = 100;  // ms between checks for cancellation

double number_of(const QString& fraction) {
  const double over = fraction.section(QLatin1Char('/'), 0, 0).toDouble(),
               under = fraction.section(QLatin1Char('/'), 1).toDouble();
  return under > 0 ? over / under : 0;
}

// The requested entries of the first movie stream in a file, by name.
QHash<QString, QString> request(const QString& path, const QString& what, const SingleJob& job) {
  QHash<QString, QString> answers;
  for (const QString& line : probe(path, what, job).split(QLatin1Char('\n'))) {
    answers.insert(line.section(QLatin1Char('='), 0, 0),
                   line.section(QLatin1Char('='), 1).trimmed());
  }
  return answers;
}

// As chosen by read_pixels() for the same frame; other matrices are left to Qt, which knows
// BT.2020.
QString matrix_of(const QHash<QString, QString>& movie) {
  const QString space = movie[QStringLiteral("color_space")],
                format = movie[QStringLiteral("pix_fmt")];
  const auto in = [](const QString& one, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (one == QLatin1String(name)) return true;
    }
    return false;
  };
  if (in(space, {"bt470bg", "smpte170m"})) return QStringLiteral("bt601");
  if (in(space, {"bt2020nc", "bt2020c"}) && !in(format, {"yuv420p", "yuvj420p", "nv12"})) {
    return QStringLiteral("bt2020");
  }
  const bool known = in(space, {"bt709", "bt2020nc", "bt2020c", "gbr"});
  const bool small = !known && movie[QStringLiteral("height")].toInt() < 720;  // by convention
  return small ? QStringLiteral("bt601") : QStringLiteral("bt709");
}

}  // namespace

QString probe(const QString& path, const QString& words, const SingleJob& job) {
  QProcess process;
  process.start(QStandardPaths::findExecutable(QStringLiteral("ffprobe")),
                words.split(QLatin1Char(' ')) + QStringList{path});
  if (!ended_well(process, job)) {
    throw std::runtime_error(
        VideoWriter::tr("%1 cannot be read: %2").arg(path, complaint_of(process)).toStdString());
  }
  return QString::fromUtf8(process.readAllStandardOutput());
}

QString complaint_of(QProcess& process) {
  constexpr int most = 160;  // characters of each
  static const QRegularExpression part(QStringLiteral("^\\[[^\\]]* @ 0x[0-9a-f]+\\] *"));
  const QStringList lines = QString::fromUtf8(process.readAllStandardError())
                                .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  if (lines.isEmpty()) return {};
  const auto calm = [](QString line) { return line.remove(part).trimmed().left(most); };
  const QString first = calm(lines.first()), last = calm(lines.last());
  return first == last ? first : QStringLiteral("%1; %2").arg(first, last);
}

bool ended_well(QProcess& process, const SingleJob& job) {
  while (process.state() != QProcess::NotRunning) {
    if (job.cancelled()) {
      process.kill();
      process.waitForFinished();
      throw Cancelled();
    }
    process.waitForFinished(patience);
  }
  return process.error() != QProcess::FailedToStart &&
         process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

QString even_rate(const QString& lowest, const QString& average) {
  const double low = number_of(lowest), mean = number_of(average);
  constexpr double fastest = 240, close = 0.03;
  if (mean <= 0) return low > 0 && low <= fastest ? lowest : QStringLiteral("25/1");
  return low > 0 && low <= fastest && std::abs(low - mean) <= close * mean ? lowest : average;
}

MovieInfo info_of(const QString& path, const SingleJob& job) {
  const QHash<QString, QString> movie = request(
      path,
      QStringLiteral("-v error -select_streams v:0 -show_entries stream=width,height,pix_fmt,"
                     "sample_aspect_ratio,"
                     "color_space,color_primaries,color_transfer,r_frame_rate,avg_frame_rate:"
                     "stream_side_data=rotation:format=duration -of default=nk=0:nw=1"),
      job);
  const auto named = [&movie](const char* name) {
    const QString value = movie[QLatin1String(name)];
    const bool says = value != QLatin1String("unknown") && value != QLatin1String("reserved");
    return says ? value : QString();
  };
  MovieInfo info;
  info.width = movie[QStringLiteral("width")].toInt();
  info.height = movie[QStringLiteral("height")].toInt();
  if (info.width <= 0 || info.height <= 0) {
    throw std::runtime_error(VideoWriter::tr("%1 holds no movie.").arg(path).toStdString());
  }
  info.pixel = PixelRatio::from(movie[QStringLiteral("sample_aspect_ratio")]);
  if (movie[QStringLiteral("rotation")].toInt() % 180 != 0) {
    std::swap(info.width, info.height);
    info.pixel = info.pixel.turned();
  }
  info.rate =
      even_rate(movie[QStringLiteral("r_frame_rate")], movie[QStringLiteral("avg_frame_rate")]);
  info.frames = movie[QStringLiteral("duration")].toDouble() * number_of(info.rate);
  info.matrix = matrix_of(movie);
  info.primaries = named("color_primaries");
  info.transfer = named("color_transfer");
  return info;
}

int count_frames(const QString& path, const SingleJob& job) {
  return request(path,
                 QStringLiteral("-v error -select_streams v:0 -count_packets -show_entries "
                                "stream=nb_read_packets -of default=nk=0:nw=1"),
                 job)[QStringLiteral("nb_read_packets")]
      .toInt();
}

}  // namespace sfumato::gui
