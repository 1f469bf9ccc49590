// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs a movie through a recipe into another movie, or into numbered pictures.
#pragma once

#include <QObject>
#include <QStringList>

#include "document/single_job.hpp"
#include "engine/session.hpp"
#include "io/render_file.hpp"

namespace sfumato::gui {

struct VideoJob {
  Recipe recipe;
  QString input;
  /// A movie's or an animated WebP's name (io/animation_output.hpp). Another picture's extension
  /// (".png") produces a sequence: "name_00001.png" and so on.
  QString output;
  bool overwrite = false;
  SessionOptions session;
};

/// Processes every frame once, in order, on its own thread; the program ffmpeg decodes frames and
/// encodes movies. A movie appears whole or not at all; of a cancelled sequence, the finished
/// pictures stay. Signals come on this object's thread.
class VideoWriter : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Whether the required programs are installed.
  static bool is_available();
  /// The files that would be overwritten; for a sequence all existing ones, since leftovers beyond
  /// the new one's end are removed.
  static QStringList in_the_way(const QString& output);

  /// False if a movie is being written, or its end has not been reported yet.
  bool start(VideoJob job);
  void cancel() { single_.cancel(); }
  bool is_running() const { return single_.is_running(); }

 Q_SIGNALS:
  /// 0..1, after every frame.
  void progressed(double part);
  /// `fault` is one unobtrusive sentence, of what is `written` a warning; empty and not `written`:
  /// cancelled.
  void finished(bool written, const QString& fault, int frames);

 private:
  void run(const VideoJob& job);
  /// The job's files and recipe; `warnings` gets each warning once.
  FileJob file_job(const VideoJob& job, QStringList& warnings);
  /// Returns how many frames there are.
  std::int64_t write_movie(Renderer& renderer, FileJob job);
  void write_pictures(Renderer& renderer, const FileJob& job, const QString& output,
                      std::int64_t& written);

  SingleJob single_;  // destroyed first
};

}  // namespace sfumato::gui
