// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs the recipe on the part of the picture that is seen, at the scale at which it is seen, on a
// thread of its own.
#pragma once

#include <QImage>
#include <QObject>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "document/opened_picture.hpp"
#include "engine/session.hpp"
#include "preview/histogram.hpp"
#include "preview/preview_pace.hpp"
#include "preview/preview_roles.hpp"
#include "preview/reduced_picture.hpp"

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
  /// Where it takes long, it is first answered up to that many times coarser.
  int coarsest = 1;
  /// An answer that is only close is followed by an exact one: computed at 1:1, then made smaller.
  bool refine = false;
  /// To be computed even if the last answer was of the same recipe.
  bool afresh = false;
  /// Tells the requests of one view apart.
  int number = 0;
};

/// The answers to one request, in their order.
enum class PreviewStage { coarse, requested, exact };

struct PreviewResult {
  PreviewRequest request;  ///< with the reduction and the region of this answer
  PreviewStage stage = PreviewStage::requested;
  bool last = true;      ///< nothing finer follows, unless it fails
  QImage before, after;  ///< of the region, as the screen shows it
  /// The numbers behind them, float.
  std::shared_ptr<const HeldPicture> before_values;
  HeldPicture after_values;
  Histogram before_histogram, after_histogram;  ///< as bright as the images
  /// How true the preview is; at 1:1, and where it was computed there, it is exact.
  PreviewClass truth = PreviewClass::exact;
  double seconds = 0;
  QString device;
  QStringList warnings;
  QStringList methods;  ///< how each step was computed
};
using ResultPtr = std::shared_ptr<const PreviewResult>;

/// Answers the newest request: one that waits is replaced. A first answer in work is let finish for
/// a moment if it shows the same picture at the same scale, so that a drag is followed; what comes
/// after it is cancelled at once. Signals come on the thread of this object; the work is done
/// elsewhere.
class PreviewRenderer : public QObject {
  Q_OBJECT

 public:
  explicit PreviewRenderer(SessionOptions options = {}, QObject* parent = nullptr);
  /// Cancels what is in work and waits for it.
  ~PreviewRenderer() override;

  void request(PreviewRequest request);
  /// Drops what waits and cancels what is in work; idle() follows if there was anything.
  void cancel();
  bool is_busy() const;
  /// Another device or memory limit from the next request on.
  void set_session(SessionOptions options);

 Q_SIGNALS:
  /// There is something to do again.
  void started();
  /// The picture as it is, before any device is needed: `after` is empty. Only where that changed.
  void before_ready(const std::shared_ptr<const sfumato::gui::PreviewResult>& result);
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
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<Renderer> open_session(SessionOptions options);
  void prepare();
  void work();
  void answer(const PreviewRequest& request);
  /// Null: it takes too long for a first answer.
  std::shared_ptr<PreviewResult> render(const PreviewRequest& request, int coarser, bool first);
  std::shared_ptr<PreviewResult> render_exactly(const ResultPtr& close);
  std::shared_ptr<PreviewResult> shown_again(const PreviewRequest& request, const Rect& region);
  RenderOptions options_for(PreviewResult& result, int reduction, std::function<bool()> go_on);
  void give(std::shared_ptr<PreviewResult> result);
  void tell(double part);
  void rest();
  bool goes_on(const PreviewRequest& request, bool first, Clock::time_point started) const;

  std::unique_ptr<Renderer> session_;
  std::future<void> opening_;  // of the session's device
  PreviewRoles roles_;
  ReducedPictures pictures_;
  PreviewPace pace_;
  ResultPtr given_;                     // the last one
  Clock::time_point reported_;          // when progressed() was last said
  std::chrono::milliseconds patience_;  // with a first answer, once something newer waits
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
