// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Locales with other number formats, built for a test.
#pragma once

#include <QtCore>
#include <clocale>

namespace sfumato::testing {

/// Builds a locale ("de_DE") and makes it known to the C library; false if that is impossible.
inline bool build_locale(const QString& name) {
  static const QTemporaryDir folder;
  const QString built = folder.filePath(name + ".UTF-8");
  if (QStandardPaths::findExecutable("localedef").isEmpty()) return false;
  QProcess::execute("localedef", {"--no-archive", "-i", name, "-f", "UTF-8", built});
  qputenv("LOCPATH", folder.path().toUtf8());
  const bool known = std::setlocale(LC_ALL, (name + ".UTF-8").toUtf8().constData()) != nullptr;
  std::setlocale(LC_ALL, "C");
  return known;
}

}  // namespace sfumato::testing
