// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Keeps the current recipe on disk, so that a crash or a kill loses nothing.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sfumato::gui {

class Document;

/// Work of an editor that ended abnormally.
struct RecoveredWork {
  QString file;     ///< the recipe, to be opened as such
  QString picture;  ///< the picture's path; empty: none, or a temporary one
  int steps = 0;
};

/// Writes the document's recipe shortly after every change to a file of its own in `folder`, and
/// removes that file on destruction, which a crash skips. Files are written off the GUI thread. An
/// empty or saved recipe has no file.
class Recovery : public QObject {
  Q_OBJECT

 public:
  explicit Recovery(Document& document, const QString& folder = default_folder(),
                    QObject* parent = nullptr);
  ~Recovery() override;

  /// The file for this document's recipe.
  const QString& file() const { return file_; }
  /// Writes at once and waits: for tests, and for the end of a session.
  void write_now();

  /// Writes at once, and then reports on this thread whether everything is on disk.
  void write_then(std::function<void(bool kept)> then);

  /// The files in `folder` of editors that no longer run, newest first; locks of such editors
  /// without a file are removed. Invalid recipes are renamed
  /// to ".bad", and their new paths added to `unreadable`. Not on the GUI thread.
  static std::vector<RecoveredWork> left_behind(const QString& folder = default_folder(),
                                                QStringList* unreadable = nullptr);
  /// Removes recovered work, used or not. Thread-safe.
  static void discard(const RecoveredWork& found);
  static QString default_folder();

 Q_SIGNALS:
  /// Changes cannot be kept, which one sentence says, once; empty: they are kept again.
  void kept_changed(const QString& fault);

 private:
  void write(std::function<void(bool kept)> then = {});
  void take_outcome(const QString& fault);

  Document& document_;
  QString file_;
  std::shared_ptr<QLockFile> lock_;  // used by the writing thread alone
  QString fault_;                    // of the last writing
  QTimer soon_;
};

}  // namespace sfumato::gui
