// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One process for all files that the user opens: a second start passes its files to the first.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace sfumato::gui {

/// A local socket in the user's XDG_RUNTIME_DIR, which nobody else may enter, for one display. Both
/// sides check that the other is the same user's. Where there is no such folder, every start is the
/// first.
class SingleInstance : public QObject {
  Q_OBJECT

 public:
  /// `name` distinguishes programs; tests use their own.
  explicit SingleInstance(const QString& name = default_name(), QObject* parent = nullptr);

  /// Passes the words of a start (with absolute paths) to the listening process, if any; true if it
  /// accepted them.
  bool forward_to_running(const QStringList& words) const;
  /// Accepts files of later starts from now on; false if that is impossible.
  bool listen();

  static QString default_name();

 Q_SIGNALS:
  /// A later start passed these words; none: it only wants a window.
  void words_given(const QStringList& words);

 private:
  void take();

  QString path_;  // empty: there is no place for it
  QLocalServer server_;
};

}  // namespace sfumato::gui
