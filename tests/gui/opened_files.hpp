// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files made for the editor, and opened in its window.
#pragma once

#include <QSignalSpy>

#include "app/main_window.hpp"
#include "io/io.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

inline void write_picture(const QString& file, Image picture) {
  const auto out = create_picture(file.toStdString(), {}, picture.format);
  out->write(picture.view());
  out->commit();
}

/// What the window says of the file: empty once it is open.
inline QString opened(gui::MainWindow& window, const QString& file) {
  QSignalSpy spy(&window, &gui::MainWindow::opened);
  window.open_file(file);
  if (spy.isEmpty() && !spy.wait(180000)) return QStringLiteral("never");
  return spy[0][0].toString();
}

}  // namespace sfumato::testing
