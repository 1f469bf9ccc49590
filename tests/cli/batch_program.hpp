// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Batches run by the program: inputs, outputs, and interrupted runs.
#pragma once

#include <QElapsedTimer>

#include <csignal>

#include "program.hpp"

class BatchTest : public CliTest {
 protected:
  static constexpr int patience = 60000;  // ms

  void make_folder(const QString& name) const { QVERIFY(QDir().mkpath(path(name))); }

  /// Pictures of noise, all different: in/000.ppm and so on.
  void make_inputs(int count, int width, int height) {
    make_folder("in");
    for (int i = 0; i < count; ++i) {
      const QString name = QStringLiteral("in/%1.ppm").arg(i, 3, 10, QLatin1Char('0'));
      write_ppm(name, width + i % 7, height + i % 5);
    }
  }

  /// "batch gaussian --sigma 2 -o OUT" on the reference, which starts immediately.
  static QStringList command(const QString& out, const QStringList& more = {}) {
    return QStringList{"batch", "gaussian", "--sigma", "2", "--device", "reference", "-o", out} +
           more;
  }

  /// The content of a folder, including hidden files but not journals.
  QMap<QString, QByteArray> outputs(const QString& folder) const {
    QMap<QString, QByteArray> all;
    QDirIterator it(path(folder), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const QString name = QDir(path(folder)).relativeFilePath(it.next());
      if (!name.endsWith(".jsonl")) all[name] = read(folder + "/" + name);
    }
    return all;
  }

  /// Two folders hold the same files, byte for byte.
  void same_outputs(const QString& one, const QString& other) const {
    const auto a = outputs(one), b = outputs(other);
    QVERIFY2(!a.isEmpty(), qPrintable(one));
    QCOMPARE(QStringList(b.keys()), QStringList(a.keys()));
    for (const QString& name : a.keys()) QVERIFY2(a[name] == b[name], qPrintable(name));
  }

  /// Starts a run whose JSON lines wait_for() reads.
  void start(QProcess& process, const QStringList& arguments) const {
    settle(process);
    process.start(program_, arguments);
    QVERIFY(process.waitForStarted(patience));
  }

  /// Waits for that many lines with this word; false if the program ended first.
  static bool wait_for(QProcess& process, const QByteArray& word, int count = 1) {
    int seen = 0;
    QElapsedTimer clock;
    for (clock.start(); clock.elapsed() < 2 * patience;) {
      while (process.canReadLine()) {
        if (process.readLine().contains(word) && ++seen >= count) return true;
      }
      if (process.state() == QProcess::NotRunning && !process.canReadLine()) return false;
      process.waitForReadyRead(200);
    }
    return false;
  }

  /// Waits for its end: its status, or -2 if it was killed.
  static int ended(QProcess& process) {
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(2 * patience))
      return -1;
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  }
};
