// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs the recipe on the visible part of the picture, at the visible scale, on its own thread.
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
  /// Picture pixels per preview pixel, in each direction.
  int reduction = 1;
  /// The visible part, in pixels of the reduced picture.
  Rect region;
  /// Viewing exposure in stops; the data stays unchanged.
  double exposure = 0;
  /// The screen's ICC profile; empty: sRGB.
  QByteArray screen_profile = {};
  /// If it takes long, a preview up to this many times coarser comes first.
  int coarsest = 1;
  /// An approximate preview is followed by an exact one, computed at 1:1 and then reduced.
  bool refine = false;
  /// Compute even if the last preview was of the same recipe.
  bool again = false;
  /// Distinguishes the requests of one view.
  int number = 0;
};

/// The previews for one request, in order.
enum class PreviewStage { coarse, requested, exact };

struct PreviewResult {
  PreviewRequest request;  ///< with the reduction and region of this preview
  PreviewStage stage = PreviewStage::requested;
  bool last = true;      ///< nothing finer follows, unless it fails
  QImage before, after;  ///< of the region, as shown on the screen
  /// The float values behind the images.
  std::shared_ptr<const HeldPicture> before_values;
  HeldPicture after_values;
  Histogram before_histogram;  ///< at the images' exposure
  /// Accuracy of the preview; at 1:1, or computed at 1:1, it is exact.
  PreviewClass truth = PreviewClass::exact;
  double seconds = 0;
  QString device;
  QStringList warnings;
  QStringList methods;  ///< how each step was computed
};
using ResultPtr = std::shared_ptr<const PreviewResult>;

/// Processes the newest request; a waiting one is replaced. A running first preview may finish for
/// a moment if it shows the same picture at the same scale, so that a drag is followed; later
/// stages are cancelled at once. Signals come on this object's thread; the work is done elsewhere.
class PreviewRenderer : public QObject {
  Q_OBJECT

 public:
  explicit PreviewRenderer(SessionOptions options = {}, QObject* parent = nullptr);
  /// Cancels the running render and waits for it.
  ~PreviewRenderer() override;

  void request(PreviewRequest request);
  /// Drops the waiting request and cancels the running one; idle() follows if there was any.
  void cancel();
  bool is_busy() const;
  /// Uses another device or memory limit from the next request on.
  void set_session(SessionOptions options);

 Q_SIGNALS:
  /// Rendering has started.
  void started();
  /// The unfiltered picture, available before any device is needed: `after` is empty. Emitted only
  /// when it changed.
  void before_ready(const std::shared_ptr<const sfumato::gui::PreviewResult>& result);
  void rendered(const std::shared_ptr<const sfumato::gui::PreviewResult>& result);
  /// The histogram of a result's `after`, which follows so that the result need not wait for it.
  void counted(const std::shared_ptr<const sfumato::gui::PreviewResult>& result,
               const sfumato::gui::Histogram& after);
  /// Progress of the running request, 0..1, about 20 times a second.
  void progressed(double part);
  /// One unobtrusive sentence.
  void failed(const QString& sentence);
  /// A message from the engine: a device failed and another one takes over.
  void warned(const QString& sentence);
  /// Nothing is waiting or running any more.
  void idle();

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<Renderer> open_session(SessionOptions options);
  void prepare();
  void work();
  void answer(const PreviewRequest& request);
  /// Null: it takes too long for a first preview.
  std::shared_ptr<PreviewResult> render(const PreviewRequest& request, int coarser, bool first);
  std::shared_ptr<PreviewResult> render_exactly(const ResultPtr& close);
  std::shared_ptr<PreviewResult> shown_again(const PreviewRequest& request, const Rect& region);
  RenderOptions options_for(PreviewResult& result, int reduction, std::function<bool()> go_on);
  void give(std::shared_ptr<PreviewResult> result);
  void tell(double part);
  void rest();
  HeldPicture uncleared_picture(const PictureFormat& format);
  bool goes_on(const PreviewRequest& request, bool first, Clock::time_point started) const;

  std::unique_ptr<Renderer> session_;
  std::future<void> opening_;  // of the session's device
  PreviewRoles roles_;
  ReducedPictures pictures_;
  PreviewPace pace_;
  ResultPtr given_;                                      // the last result
  std::vector<std::shared_ptr<PreviewResult>> earlier_;  // whose memory may be used again
  std::vector<char> spare_;                              // of a result that was cancelled
  Clock::time_point reported_;                           // when progressed() was last emitted
  std::chrono::milliseconds patience_;  // for a first preview, once a newer request waits
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<PreviewRequest> waiting_;
  std::optional<SessionOptions> next_session_;
  bool stop_ = false, busy_ = false, cancelled_ = false;
  std::thread thread_;
};

/// Whether the caller runs on the GUI thread, on which pictures are not computed.
bool on_gui_thread();

/// The accuracy of a preview of the recipe at that scale: the lowest among its steps.
PreviewClass truth_of(const Recipe& recipe, int reduction);

/// The recipe for a picture `reduction` times smaller, by the zoom laws of its parameters.
Recipe scaled_recipe(const Recipe& recipe, int reduction);

}  // namespace sfumato::gui
