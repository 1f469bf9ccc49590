// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes the whole picture through the recipe, as the command line does.
#pragma once

#include <QObject>
#include <atomic>
#include <filesystem>
#include <thread>

#include "document/opened_picture.hpp"
#include "engine/session.hpp"

namespace sfumato::gui {

struct ExportJob {
  PicturePtr picture;  ///< its file is read again: other layers, parts and metadata go along
  std::filesystem::path output;
  Recipe recipe;
  WriteOptions options;
  SessionOptions session;
};

/// One export at a time, on a thread of its own; the file appears whole or not at all. Signals come
/// on the thread of this object.
class Exporter : public QObject {
  Q_OBJECT

 public:
  explicit Exporter(QObject* parent = nullptr) : QObject(parent) {}
  /// Cancels and waits.
  ~Exporter() override;

  /// Starts; false where one is running.
  bool start(ExportJob job);
  void cancel() { cancelled_ = true; }
  bool is_running() const { return running_; }

 Q_SIGNALS:
  void progressed(double part);
  /// `fault` is empty where the file was written; else one sentence, or "" with `written` false
  /// where the user cancelled.
  void finished(bool written, const QString& fault, const QStringList& warnings);

 private:
  void run(const ExportJob& job);

  std::atomic<bool> cancelled_{false}, running_{false};
  std::thread thread_;
};

}  // namespace sfumato::gui
