// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes the whole picture through the recipe, as the command line does.
#pragma once

#include <QObject>
#include <filesystem>

#include "document/opened_picture.hpp"
#include "document/single_job.hpp"
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

  /// Starts; false where one is running.
  bool start(ExportJob job);
  void cancel() { single_.cancel(); }
  bool is_running() const { return single_.is_running(); }

 Q_SIGNALS:
  void progressed(double part);
  /// `fault` is empty where the file was written; else one sentence, or "" with `written` false
  /// where the user cancelled.
  void finished(bool written, const QString& fault, const QStringList& warnings);

 private:
  void run(const ExportJob& job);

  SingleJob single_;  // ended first
};

}  // namespace sfumato::gui
