// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The process that waits to start decoders.
#pragma once

#include <unistd.h>

#include <QFile>
#include <QString>

#include "support/processes.hpp"

namespace sfumato::testing {

/// Its number; the decoders of pictures are its children. 0: there is none.
inline int waiting_process() {
  for (const int child : children_of(::getpid())) {
    QFile name(QString("/proc/%1/comm").arg(child));
    if (name.open(QIODevice::ReadOnly) && name.readAll().startsWith("sfumato-decode")) return child;
  }
  return 0;
}

}  // namespace sfumato::testing
