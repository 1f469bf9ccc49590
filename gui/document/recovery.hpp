// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Keeps the recipe in work on disk, so that a crash or a kill costs nothing.
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

/// What an editor that ended without asking left behind.
struct LeftBehind {
  QString file;     ///< the recipe, to be opened as one
  QString picture;  ///< the picture's path; empty: none, or one that went with the program
  int steps = 0;
};

/// Writes the document's recipe shortly after every change to a file of its own in `folder`, and
/// removes it when it is destroyed, which a crash never does. Files are written beside the GUI
/// thread. A recipe that is empty or saved leaves none.
class Recovery : public QObject {
  Q_OBJECT

 public:
  explicit Recovery(Document& document, const QString& folder = default_folder(),
                    QObject* parent = nullptr);
  ~Recovery() override;

  /// Where this document's recipe is kept.
  const QString& file() const { return file_; }
  /// Writes at once and waits: for tests, and for the end of a session.
  void write_now();

  /// Writes at once, and says on this thread whether all that is to be kept is on disk.
  void write_then(std::function<void(bool kept)> then);

  /// The files in `folder` of editors that run no more, the newest first. What is no recipe gets
  /// the ending ".bad"; its new path is added to `unreadable`. Not on the GUI thread.
  static std::vector<LeftBehind> left_behind(const QString& folder = default_folder(),
                                             QStringList* unreadable = nullptr);
  /// Removes what was found, used or not. Any thread.
  static void discard(const LeftBehind& found);
  static QString default_folder();

 private:
  void write(std::function<void(bool kept)> then = {});

  Document& document_;
  QString file_;
  std::shared_ptr<QLockFile> lock_;
  QTimer soon_;
};

}  // namespace sfumato::gui
