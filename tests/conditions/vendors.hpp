// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Folders of .icd files: the system's drivers, and misbehaving ones.
#pragma once

#include <QDir>
#include <QFile>
#include <QString>

/// Copies the system's .icd files to a new folder; returns how many there are.
inline int copy_good_drivers(const QString& folder) {
  QDir().mkpath(folder);
  const QDir system("/etc/OpenCL/vendors");
  int copied = 0;
  for (const QString& name : system.entryList({"*.icd"}, QDir::Files)) {
    copied += QFile::copy(system.filePath(name), folder + "/" + name) ? 1 : 0;
  }
  return copied;
}

inline bool write_icd(const QString& file, const QString& library) {
  QFile icd(file);
  return icd.open(QIODevice::WriteOnly) && icd.write(library.toLocal8Bit() + "\n") > 0;
}

/// The library with this behaviour: "aborts", "crashes", "exits", "hangs", "exits_on_load",
/// "aborts_at_exit", "hangs_at_exit" or "chatters".
inline QString bad_driver(const QString& misdeed) {
  return QString(SFUMATO_DRIVERS "/sfumato-driver-%1.so").arg(misdeed);
}
