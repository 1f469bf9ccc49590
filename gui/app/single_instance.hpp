// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One process for all files that the user opens: a second start hands its files to the first.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace sfumato::gui {

/// A local socket that only the same user on the same display can reach.
class SingleInstance : public QObject {
  Q_OBJECT

 public:
  /// `name` tells programs apart; tests give their own.
  explicit SingleInstance(const QString& name = default_name(), QObject* parent = nullptr);

  /// Hands the words of a start (paths are absolute) to the process that listens, if one does; true
  /// where it took them.
  bool hand_over(const QStringList& words) const;
  /// Takes files of later starts from now on; false where nothing can be listened to.
  bool listen();

  static QString default_name();

 Q_SIGNALS:
  /// A later start was given these words; none: it only wants a window.
  void words_given(const QStringList& words);

 private:
  void take();

  QString name_;
  QLocalServer server_;
};

}  // namespace sfumato::gui
