// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The program run in a folder of its own, with its output, status and files.
#pragma once

#include <grp.h>
#include <unistd.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

struct Run {
  int status;  ///< -1: did not finish, -2: killed
  QString out, err;
};

class CliTest : public QObject {
 protected:
  QTemporaryDir folder_;
  QString program_ = SFUMATO_PROGRAM;

  QString path(const QString& name) const { return folder_.filePath(name); }

  /// The program's environment: its own cache and presets, and no device settings.
  QProcessEnvironment environment(const QStringList& more = {}) const {
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    env.insert("LC_ALL", "C.UTF-8");
    env.remove("LANGUAGE");
    env.insert("XDG_CACHE_HOME", path("cache"));
    env.insert("XDG_DATA_HOME", path("data"));
    env.remove("SFUMATO_DEVICE");
    // The leak sanitizer of GCC 12 may crash with a driver's threads; refused() runs without one.
    env.insert("ASAN_OPTIONS", "use_sigaltstack=0:detect_leaks=0");
    for (const QString& e : more) env.insert(e.section('=', 0, 0), e.section('=', 1));
    return env;
  }

  /// Sets that environment and the test's working folder for a process.
  void settle(QProcess& process, const QStringList& more_environment = {}) const {
    process.setProcessEnvironment(environment(more_environment));
    process.setWorkingDirectory(folder_.path());
  }

  Run run(const QStringList& arguments, const QStringList& more_environment = {},
          const std::function<void()>& in_child = {}) {
    QProcess process;
    settle(process, more_environment);
    if (in_child) process.setChildProcessModifier(in_child);
    process.start(program_, arguments);
    // Only against hanging: programs may be compiled while other tests run.
    if (!process.waitForFinished(600000)) return {-1, {}, "did not finish"};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }

  void write(const QString& name, const QByteArray& bytes) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  QByteArray read(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  void remove(const QStringList& names) {
    for (const QString& name : names) QFile::remove(path(name));
  }

  /// A binary PPM of noise: the simplest picture there is.
  void write_ppm(const QString& name, int w, int h) {
    QByteArray bytes =
        QByteArray("P6\n") + QByteArray::number(w) + " " + QByteArray::number(h) + "\n255\n";
    quint32 seed = 1;
    for (int i = 0; i < w * h * 3; ++i) {
      seed = seed * 1664525u + 1013904223u;
      bytes.append(static_cast<char>(seed >> 24));
    }
    write(name, bytes);
  }

  /// Every file in the folder with its bytes, except the cache, which the program may change.
  QMap<QString, QByteArray> snapshot() const {
    QMap<QString, QByteArray> all;
    QDirIterator it(folder_.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const QString name = QDir(folder_.path()).relativeFilePath(it.next());
      if (!name.startsWith("cache/")) all[name] = read(name);
    }
    return all;
  }

  /// One sentence on stderr with all these words, this status, and no file added or changed.
  void refused(const QStringList& arguments, int status, const QStringList& words,
               const std::function<void()>& in_child = {}) {
    const auto before = snapshot();
    // A refusal needs no device and waits for none. With full call stacks, the address sanitizer
    // distinguishes OpenImageIO's leaks from ours (support/leaks.supp).
    const Run r =
        run(arguments,
            {"SFUMATO_DEVICE=reference", "ASAN_OPTIONS=use_sigaltstack=0:fast_unwind_on_malloc=0"},
            in_child);
    const QString label = arguments.join(' ') + " -> " + QString::number(r.status) + ": " + r.err;
    QVERIFY2(r.status == status, qPrintable(label));
    for (const QString& word : words) {
      QVERIFY2(r.err.contains(word, Qt::CaseInsensitive),
               qPrintable("\"" + word + "\" is missing: " + label));
    }
    QVERIFY2(one_line(r.err), qPrintable("not one line of ours: " + label));
    const auto after = snapshot();
    QVERIFY2(after.keys() == before.keys(),
             qPrintable("left behind: " + QStringList(after.keys()).join(' ')));
    QVERIFY2(after == before, qPrintable("a file was changed: " + label));
  }

  static bool one_line(const QString& err) {
    return err.startsWith("sfumato: ") && err.endsWith('\n') && err.count('\n') == 1;
  }

  static void become_nobody() {
    if (::geteuid() != 0) return;
    constexpr uid_t nobody = 65534;
    if (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0) ::_exit(99);
  }
};
