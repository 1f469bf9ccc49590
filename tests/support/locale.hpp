// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Locales with other number formats, built for a test.
#pragma once

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <clocale>

namespace sfumato::testing {

/// Builds a locale ("de_DE") and makes it known to the C library; false if that is impossible.
inline bool build_locale(const QString& name) {
  static const QTemporaryDir folder;
  const QString full = name + QLatin1String(".UTF-8"), built = folder.filePath(full),
                program = QStringLiteral("localedef");
  if (QStandardPaths::findExecutable(program).isEmpty()) return false;
  QProcess::execute(program, {QStringLiteral("--no-archive"), QStringLiteral("-i"), name,
                              QStringLiteral("-f"), QStringLiteral("UTF-8"), built});
  qputenv("LOCPATH", folder.path().toUtf8());
  const bool known = std::setlocale(LC_ALL, full.toUtf8().constData()) != nullptr;
  std::setlocale(LC_ALL, "C");
  return known;
}

}  // namespace sfumato::testing
