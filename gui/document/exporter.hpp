// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs the recipe on the whole picture and writes the result, as the command line does.
#pragma once

#include <QObject>
#include <filesystem>

#include "document/opened_picture.hpp"
#include "document/single_job.hpp"
#include "engine/session.hpp"

namespace sfumato::gui {

struct ExportJob {
  PicturePtr picture;  ///< its file is read again, with all layers, parts and metadata
  std::filesystem::path output;
  Recipe recipe;
  WriteOptions options;
  SessionOptions session;
};

/// One export at a time, on its own thread; the file appears whole or not at all. Signals come on
/// this object's thread.
class Exporter : public QObject {
  Q_OBJECT

 public:
  explicit Exporter(QObject* parent = nullptr) : QObject(parent) {}

  /// Returns false if an export is running.
  bool start(ExportJob job);
  void cancel() { single_.cancel(); }
  bool is_running() const { return single_.is_running(); }

  /// The state of the picture's file at the last export, once it is finished().
  enum class Input {
    as_opened,
    changed,   ///< it differs from the one opened: nothing was exported
    replaced,  ///< by the result
  };
  Input input() const { return input_; }

 Q_SIGNALS:
  void progressed(double part);
  /// `fault` is empty if the file was written; otherwise one sentence, or "" with `written` false
  /// if the user cancelled.
  void finished(bool written, const QString& fault, const QStringList& warnings);

 private:
  void run(const ExportJob& job);

  Input input_ = Input::as_opened;
  SingleJob single_;  // destroyed first
};

}  // namespace sfumato::gui
