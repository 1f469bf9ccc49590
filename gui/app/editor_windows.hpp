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

class BatchWindow;
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
  /// What a start was given: files, or "--batch", then "--recipe" and a recipe's file or preset if
  /// there is one, then files for the batch window.
  void take(const QStringList& words);
  /// The batch window, in front, with these files in its list as well; `recipe`: a recipe's file or
  /// a preset's id, empty: as it is.
  BatchWindow& open_batch(const QString& recipe = {}, const QStringList& files = {});
  /// Says in the first window what the program's start has to say, one line each.
  void tell(const QStringList& sentences);
  /// In one window only: there is one recovery folder.
  void offer_recovery(const QString& folder = Recovery::default_folder());

  /// The oldest first.
  QList<MainWindow*> windows() const;

 private:
  MainWindow* open_window();

  QList<QPointer<MainWindow>> windows_;
  QPointer<BatchWindow> batch_;
};

}  // namespace sfumato::gui
