// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Converts Qt's paths to the core's.
#pragma once

#include <QFile>
#include <QString>
#include <filesystem>

namespace sfumato::gui {

inline std::filesystem::path native_path(const QString& path) {
  return std::filesystem::path(QFile::encodeName(path).toStdString());
}

inline QString shown_path(const std::filesystem::path& path) {
  return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

}  // namespace sfumato::gui
