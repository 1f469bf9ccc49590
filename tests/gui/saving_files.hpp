// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder of pictures, and a window that opens and exports them.
#pragma once

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/main_window.hpp"
#include "support/files.hpp"

namespace sfumato::testing {

/// After begin(), in.png exists.
class SavingFiles : public QObject {
 protected:
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }

  QStringList names() const {
    return QDir(folder_->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
  }

  QByteArray bytes(const char* name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  void make(const char* name, std::uint32_t seed = 1, int width = 240, int height = 180) const {
    Image image = scene({width, height, 3, SampleType::u16, AlphaKind::none, Coding::srgb()}, seed);
    const auto file = create_picture(path(name).toStdString(), {.overwrite = true}, image.format);
    file->write(image.view());
    file->commit();
  }

  void open(gui::MainWindow& window, const char* name) const {
    QSignalSpy opened(&window, &gui::MainWindow::opened);
    window.open_file(path(name));
    QVERIFY(!opened.isEmpty() || opened.wait(180000));
    QCOMPARE(opened[0][0].toString(), QString());
  }

  // The export's message; empty: it was written.
  QString exported(gui::MainWindow& window, const char* name, bool overwrite = false) const {
    QSignalSpy finished(&window.exporter(), &gui::Exporter::finished);
    window.export_to(path(name), overwrite);
    if (!finished.wait(180000)) return QStringLiteral("never");
    const bool written = finished[0][0].toBool();
    return written ? QString() : finished[0][1].toString() + QLatin1Char('.');
  }

  void begin() {
    folder_ = std::make_unique<QTemporaryDir>();
    make("in.png");
  }
};

}  // namespace sfumato::testing
