// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A worker whose device is lost on command.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <filesystem>

namespace sfumato::testing {

/// Wraps the installed worker (SFUMATO_WORKER) while this lives.
class LosingWorker {
 public:
  LosingWorker() {
    qputenv("SFUMATO_TEST_LOST", folder_.filePath(QStringLiteral("lost")).toUtf8());
    QFile file(folder_.filePath(QStringLiteral("worker")));
    if (!file.open(QFile::WriteOnly)) return;
    file.write("#!/bin/sh\nLD_PRELOAD=" SFUMATO_FAILING_LAUNCHES " exec " +
               qgetenv("SFUMATO_WORKER") + " \"$@\"\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  ~LosingWorker() { qunsetenv("SFUMATO_TEST_LOST"); }
  LosingWorker(const LosingWorker&) = delete;
  LosingWorker& operator=(const LosingWorker&) = delete;

  std::filesystem::path program() const {
    return folder_.filePath(QStringLiteral("worker")).toStdString();
  }
  /// From now on one kernel is launched, then none.
  bool lose_device() const {
    return QFile(folder_.filePath(QStringLiteral("lost"))).open(QFile::WriteOnly);
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace sfumato::testing
