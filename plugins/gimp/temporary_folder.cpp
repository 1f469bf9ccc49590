// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "gimp/temporary_folder.hpp"

#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <cerrno>

#include "io/io.hpp"

namespace sfumato::gimp {
namespace {

// The process id is appended to this name.
constexpr char folder_prefix[] = "sfumato-gimp-";

// Removes folders left by plug-ins that were killed.
void sweep() {
  const QDir all(QDir::tempPath());
  const auto folders = all.entryInfoList({QLatin1String(folder_prefix) + QLatin1Char('*')},
                                         QDir::Dirs | QDir::NoSymLinks);
  for (const QFileInfo& folder : folders) {
    bool is_number = false;
    const int process = folder.fileName().section(QLatin1Char('-'), 2, 2).toInt(&is_number);
    if (!is_number || process <= 0 || folder.ownerId() != ::getuid()) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) QDir(folder.filePath()).removeRecursively();
  }
}

}  // namespace

std::unique_ptr<QTemporaryDir> make_temporary_folder() {
  sweep();
  auto folder =
      std::make_unique<QTemporaryDir>(QStringLiteral("%1/%2%3-XXXXXX")
                                          .arg(QDir::tempPath(), QLatin1String(folder_prefix))
                                          .arg(::getpid()));
  if (!folder->isValid()) {
    throw FileError(message({"folder.no_temporary", "No temporary folder can be made."}));
  }
  return folder;
}

}  // namespace sfumato::gimp
