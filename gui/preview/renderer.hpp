// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs the recipe on the part of the picture that is seen, at the scale at which it is seen, on a
// thread of its own.
#pragma once

#include <QImage>
#include <QObject>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "document/opened_picture.hpp"
#include "engine/session.hpp"
#include "preview/histogram.hpp"
#include "preview/preview_roles.hpp"

namespace sfumato::gui {

struct PreviewRequest {
  PicturePtr picture;
  Recipe recipe;
  /// Pixels of the picture that make one of the preview, each way.
  int reduction = 1;
  /// What is seen, in pixels of the reduced picture.
  Rect region;
  /// Stops of exposure for viewing; the data are not touched.
  double exposure = 0;
  /// The screen's ICC profile; empty: sRGB.
  QByteArray screen_profile = {};
};

struct PreviewResult {
  PreviewRequest request;
  QImage before, after;  ///< of the region, as the screen shows it
  /// The numbers behind them, float.
  std::shared_ptr<const HeldPicture> before_values;
  HeldPicture after_values;
  Histogram before_histogram, after_histogram;  ///< as bright as the images
  /// How true the preview is; at 1:1 it is exact.
  PreviewClass truth = PreviewClass::exact;
  double seconds = 0;
  QString device;
  QStringList warnings;
};

/// Answers the newest request: one that waits is replaced, one in work is cancelled. Signals come
/// on the thread of this object; the work is done elsewhere.
class Renderer : public QObject {
  Q_OBJECT

 public:
  explicit Renderer(SessionOptions options = {}, QObject* parent = nullptr);
  /// Cancels what is in work and waits for it.
  ~Renderer() override;

  void request(PreviewRequest request);
  /// Drops what waits and cancels what is in work; idle() follows if there was anything.
  void cancel();
  bool is_busy() const;
  /// Another device or memory limit from the next request on.
  void set_session(SessionOptions options);

 Q_SIGNALS:
  /// There is something to do again.
  void started();
  void rendered(const std::shared_ptr<const sfumato::gui::PreviewResult>& result);
  /// Of the request in work, 0..1, some 20 times a second.
  void progressed(double part);
  /// One calm sentence.
  void failed(const QString& sentence);
  /// What the engine says while it goes on: a device failed, another one takes over.
  void warned(const QString& sentence);
  /// Nothing waits and nothing is in work any more.
  void idle();

 private:
  struct Reduced;
  std::unique_ptr<Session> open_session(SessionOptions options);
  void work();
  void answer(const PreviewRequest& request);
  static void show_before(const Reduced& source, PreviewResult& result);
  std::shared_ptr<const Reduced> reduced(const PicturePtr& picture, int reduction);
  bool is_stale() const;

  std::unique_ptr<Session> session_;
  PreviewRoles roles_;
  std::vector<std::shared_ptr<const Reduced>> reduced_;  // of one picture, the last used first
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<PreviewRequest> waiting_;
  std::optional<SessionOptions> next_session_;
  bool stop_ = false, busy_ = false, cancelled_ = false;
  std::thread thread_;
};

/// Whether the caller runs on the thread that draws windows, where pictures are not computed.
bool on_gui_thread();

/// The truth of a preview of the recipe at that scale: the least of its steps'.
PreviewClass truth_of(const Recipe& recipe, int reduction);

/// The recipe for a picture `reduction` times smaller, by the zoom laws of its parameters.
Recipe scaled_recipe(const Recipe& recipe, int reduction);

}  // namespace sfumato::gui
