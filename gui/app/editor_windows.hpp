// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// All windows of one editor, and which of them takes a file.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

#include "app/settings.hpp"
#include "document/recovery.hpp"

namespace sfumato::gui {

class MainWindow;

/// Windows go when they are closed; those that are left go with this. GUI thread only.
class EditorWindows : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~EditorWindows() override;

  /// A window for the first of these files, and one more for every further picture; recipes go to
  /// the last window. One that holds nothing is used before a new one is made. No files: a window.
  void open_files(const QStringList& files);
  /// In one window only: there is one recovery folder.
  void offer_recovery(const QString& folder = Recovery::default_folder());

  /// The oldest first.
  QList<MainWindow*> windows() const;

 private:
  MainWindow* open_window();

  QList<QPointer<MainWindow>> windows_;
};

}  // namespace sfumato::gui
