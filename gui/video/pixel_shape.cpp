// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs ffprobe alongside the event loop.
#include "video/pixel_shape.hpp"

#include <QProcess>
#include <cmath>
#include <utility>

namespace sfumato::gui {
namespace {

// From lines of the form "width=720".
QString value_of(const QString& lines, const char* name) {
  const QString key = QLatin1String(name) + QLatin1Char('=');
  for (const QString& line : lines.split(QLatin1Char('\n'))) {
    if (line.startsWith(key)) return line.mid(key.size()).trimmed();
  }
  return {};
}

}  // namespace

PixelRatio PixelRatio::from(const QString& said) {
  const int width = said.section(QLatin1Char(':'), 0, 0).toInt(),
            height = said.section(QLatin1Char(':'), 1).toInt();
  constexpr double most = 100;  // beyond that, the file is damaged
  const double ratio = height > 0 ? static_cast<double>(width) / height : 0;
  return ratio >= 1 / most && ratio <= most ? PixelRatio{width, height} : PixelRatio{};
}

QSize MovieShape::shown(QSize frame) const {
  const double ratio = static_cast<double>(pixel.width) / pixel.height;
  if (frame == stored)
    frame.setWidth(qRound(frame.width() * ratio));
  else if (frame == stored.transposed())
    frame.setHeight(qRound(frame.height() * ratio));
  return frame.expandedTo(QSize(1, 1));
}

ShapeProbe::~ShapeProbe() {
  forget();
  for (QProcess* process : findChildren<QProcess*>()) process->waitForFinished(1000);
}

void ShapeProbe::request(const QString& path) {
  forget();
  auto* process = new QProcess(this);
  process_ = process;
  connect(process, &QProcess::errorOccurred, this, [process](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) process->deleteLater();  // it is not installed
  });
  connect(process, &QProcess::finished, this, [this, process] {
    process->deleteLater();
    if (process != process_) return;
    process_ = nullptr;
    const QString said = QString::fromUtf8(process->readAllStandardOutput());
    const QSize stored(value_of(said, "width").toInt(), value_of(said, "height").toInt());
    Q_EMIT known({stored, PixelRatio::from(value_of(said, "sample_aspect_ratio"))});
  });
  process->start(QStringLiteral("ffprobe"),
                 QStringLiteral("-v error -select_streams v:0 -show_entries "
                                "stream=width,height,sample_aspect_ratio -of default=nk=0:nw=1")
                         .split(QLatin1Char(' ')) +
                     QStringList{path});
}

void ShapeProbe::forget() {
  if (const QPointer<QProcess> process = std::exchange(process_, nullptr)) process->kill();
}

}  // namespace sfumato::gui
