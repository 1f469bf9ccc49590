// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A movie through a recipe into another movie, or into numbered pictures.
#pragma once

#include <QObject>
#include <QStringList>

#include "document/single_job.hpp"
#include "engine/session.hpp"
#include "params/recipe.hpp"

namespace sfumato::gui {

struct VideoJob {
  Recipe recipe;
  QString input;
  /// A picture's extension (".png") makes a sequence: "name_00001.png" and so on. Another one is
  /// that of a movie: H.264, with the input's sound as sound_options() has it.
  QString output;
  bool overwrite = false;
  SessionOptions session;
};

/// Every frame once, in order, on a thread of its own; frames are decoded, and movies encoded, by
/// the program ffmpeg. A movie appears whole or not at all; of a sequence that is cancelled, the
/// pictures that are finished stay. Signals come on the thread of this object.
class VideoWriter : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Whether the programs that it needs are installed.
  static bool is_available();
  /// The files that would be written over; of a sequence all that there are, since those that the
  /// new one does not reach are removed when it is finished.
  static QStringList in_the_way(const QString& output);

  /// False: one is being written already, or its end is not told yet.
  bool start(VideoJob job);
  void cancel() { single_.cancel(); }
  bool is_running() const { return single_.is_running(); }

 Q_SIGNALS:
  /// 0..1, after every frame.
  void progressed(double part);
  /// `fault` is one calm sentence; empty and not `written`: cancelled.
  void finished(bool written, const QString& fault, int frames);

 private:
  void run(const VideoJob& job);

  SingleJob single_;  // ended first
};

}  // namespace sfumato::gui
