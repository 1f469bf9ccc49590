// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// All windows of one editor, and which of them opens a file.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

#include "app/settings.hpp"
#include "document/recovery.hpp"

namespace sfumato::gui {

class BatchWindow;
class MainWindow;

/// Windows are deleted when they are closed, the remaining ones with this object. GUI thread only.
class EditorWindows : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~EditorWindows() override;

  /// Opens the first file in a window and every further picture in one of its own; recipes go to
  /// the last window. An empty window is reused. Without files, opens a window.
  void open_files(const QStringList& files);
  /// The words of a start: files, or "--batch", then "--recipe" with a recipe file or preset if
  /// any, then files for the batch window.
  void take(const QStringList& words);
  /// Raises the batch window and adds these files to its list. `recipe`: a recipe file or a
  /// preset's id; empty: unchanged.
  BatchWindow& open_batch(const QString& recipe = {}, const QStringList& files = {});
  /// Shows the messages of the program's start in the first window, one per line.
  void tell(const QStringList& sentences);
  /// In one window only, since there is a single recovery folder.
  void offer_recovery(const QString& folder = Recovery::default_folder());

  /// Oldest first.
  QList<MainWindow*> windows() const;

 private:
  MainWindow* open_window();

  QList<QPointer<MainWindow>> windows_;
  QPointer<BatchWindow> batch_;
};

}  // namespace sfumato::gui
