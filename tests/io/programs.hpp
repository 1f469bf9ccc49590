// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Other programs, and what they find in files.
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <filesystem>

namespace sfumato::testing {

/// A program's output; empty if it fails.
inline QByteArray output_of(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(QStandardPaths::findExecutable(program), arguments);
  return process.waitForFinished(300000) ? process.readAllStandardOutput() : QByteArray();
}

inline QString text_of(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

/// All that exiftool finds in a file, as numbers, by group and name.
inline QJsonObject exif_tags(const std::filesystem::path& path) {
  const QByteArray text = output_of("exiftool", {"-j", "-a", "-G1", "-n", text_of(path)});
  return QJsonDocument::fromJson(text).array()[0].toObject();
}

}  // namespace sfumato::testing
