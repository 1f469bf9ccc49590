// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One slot for the newest request, and one thread that processes it.
#include "preview/preview_renderer.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "filters/registry.hpp"
#include "image/parallel_rows.hpp"
#include "params/core_text.hpp"
#include "preview/recipe_fault.hpp"
#include "preview/reducing_sink.hpp"

namespace sfumato::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto progress_interval = 50ms;
constexpr auto least_patience = 150ms, most_patience = 2000ms;
// A first preview that has run this long, and would take many times longer, is made coarser.
constexpr auto first_wait = 150ms;
constexpr double much_longer = 3;
constexpr int next_coarser = 4;
// Exact previews are not computed while sliders are being moved, nor for all of a huge picture, nor
// by methods that take too long.
constexpr auto before_refining = 250ms;
constexpr double most_refined = 26e6;  // pixels at 1:1
constexpr auto longest_refining = 60s;

double seconds_since(std::chrono::steady_clock::time_point started) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

double area(const Rect& r) {
  return static_cast<double>(r.width()) * r.height();
}

// The pixels of a picture `factor` times coarser that cover the region.
Rect coarser_region(const Rect& r, int factor) {
  const auto up = [factor](int v) { return (v + factor - 1) / factor; };
  return {r.x0 / factor, r.y0 / factor, up(r.x1), up(r.y1)};
}

// Format of the result's values: float, in colour if the recipe produces it.
PictureFormat result_format(const PictureFormat& picture, const Recipe& recipe) {
  PictureFormat out = picture;
  out.type = SampleType::f32;
  if (out.channels == 1 && makes_colour(recipe)) out.channels = 3;
  return out;
}

void show_before(const ReducedPicture& source, PreviewResult& result) {
  const PreviewRequest& q = result.request;
  const ReducedPicture::Before& before = source.before(q.region, q.exposure, q.screen_profile);
  result.before_values = before.values;
  result.before = before.image;
  result.before_histogram = before.histogram;
}

void show_after(PreviewResult& result) {
  const PreviewRequest& q = result.request;
  result.after = shown(result.after_values, *q.picture, q.exposure, q.screen_profile);
}

// A point filter commutes with averaging only if it is linear in light, applied to plain values,
// and the same everywhere.
PreviewClass truth_of(const Step& step) {
  const PreviewClass truth = Registry::get().at(step.filter).filter->info().preview;
  if (truth != PreviewClass::exact) return truth;
  const bool commutes =
      light_of(step.values) == Light::linear && !step.values.get<ImageRef>("mask").bound();
  return commutes ? truth : PreviewClass::approximate;
}

}  // namespace

bool on_gui_thread() {
  const QCoreApplication* app = QCoreApplication::instance();
  return app != nullptr && app->thread() == QThread::currentThread();
}

PreviewClass truth_of(const Recipe& recipe, int reduction) {
  PreviewClass truth = PreviewClass::exact;
  if (reduction == 1) return truth;
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    truth = std::max(truth, truth_of(step));
  }
  return truth;
}

Recipe scaled_recipe(const Recipe& recipe, int reduction) {
  Recipe out = recipe;
  for (Step& step : out.steps) {
    const ParameterSet& set = Registry::get().at(step.filter).filter->info().parameters;
    step.values = scaled(set, step.values, 1.0 / reduction);
  }
  return out;
}

PreviewRenderer::PreviewRenderer(SessionOptions options, QObject* parent)
    : QObject(parent),
      session_(open_session(std::move(options))),
      patience_(least_patience),
      thread_([this] { work(); }) {
  qRegisterMetaType<std::shared_ptr<const PreviewResult>>();
  qRegisterMetaType<Histogram>();
}

PreviewRenderer::~PreviewRenderer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    waiting_.reset();
  }
  wake_.notify_all();
  thread_.join();
}

void PreviewRenderer::request(PreviewRequest request) {
  bool was_busy = false;
  {
    const std::lock_guard lock(mutex_);
    was_busy = busy_ || waiting_.has_value();
    waiting_ = std::move(request);
  }
  wake_.notify_all();
  if (!was_busy) Q_EMIT started();
}

void PreviewRenderer::set_session(SessionOptions options) {
  const std::lock_guard lock(mutex_);
  next_session_ = std::move(options);
}

void PreviewRenderer::cancel() {
  bool none_left = false;
  {
    const std::lock_guard lock(mutex_);
    // A request that never started ends here; a running one ends on its own thread.
    none_left = waiting_.has_value() && !busy_;
    waiting_.reset();
    cancelled_ = true;
  }
  wake_.notify_all();
  if (none_left) Q_EMIT idle();
}

bool PreviewRenderer::is_busy() const {
  const std::lock_guard lock(mutex_);
  return busy_ || waiting_.has_value();
}

bool PreviewRenderer::goes_on(const PreviewRequest& request, bool first,
                              Clock::time_point started) const {
  const std::lock_guard lock(mutex_);
  if (stop_ || cancelled_) return false;
  if (!waiting_) return true;
  const bool same_view =
      waiting_->picture == request.picture && waiting_->reduction == request.reduction;
  return first && same_view && Clock::now() - started < patience_;
}

std::unique_ptr<Renderer> PreviewRenderer::open_session(SessionOptions options) {
  options.log = [this, log = std::move(options.log)](const Message& line) {
    if (log) log(line);
    Q_EMIT warned(core_text(line));
  };
  return make_session(std::move(options));
}

// Requests that need no device need not wait for one.
void PreviewRenderer::prepare() {
  opening_ = std::async(std::launch::async, [this] { session_->prepare(); });
}

void PreviewRenderer::work() {
  prepare();
  while (true) {
    PreviewRequest next;
    std::optional<SessionOptions> other;
    {
      std::unique_lock lock(mutex_);
      if (busy_ && !waiting_) Q_EMIT idle();
      busy_ = false;
      wake_.wait(lock, [this] { return stop_ || waiting_.has_value(); });
      if (stop_) break;
      next = std::move(*waiting_);
      waiting_.reset();
      cancelled_ = false;
      busy_ = true;
      other = std::exchange(next_session_, std::nullopt);
    }
    if (other) {
      opening_.wait();
      session_ = open_session(std::move(*other));
      given_ = nullptr;
      earlier_.clear();
      spare_ = {};
      pace_.forget();
      prepare();
    }
    try {
      answer(next);
    } catch (const Cancelled&) {
      // replaced by a newer request, or not wanted any more
    } catch (const std::exception& error) {
      Q_EMIT failed(core_text(message_in(error)));
    }
  }
  opening_.wait();
  session_.reset();  // waits for the device
}

void PreviewRenderer::answer(const PreviewRequest& request) {
  if (on_gui_thread()) throw std::logic_error("a preview is not rendered on the GUI thread");
  const auto started = Clock::now();
  const ParallelRows rows([&](int, int) { return goes_on(request, true, started); });
  const ReducedPtr source = pictures_.at(request.picture, request.reduction, rows);
  const Rect region = request.region.intersected(source->pixels().format.rect());
  if (region.empty()) return;
  if (!source->has_before(region, request.exposure, request.screen_profile)) {
    auto before = std::make_shared<PreviewResult>();
    before->request = request;
    before->request.region = region;
    show_before(*source, *before);
    Q_EMIT before_ready(before);
  }
  std::shared_ptr<PreviewResult> close = shown_again(request, region);
  bool first = true;
  for (int coarser =
           pace_.coarser(request.recipe, request.reduction, area(region), request.coarsest);
       !close;) {
    auto made = render(request, coarser, first);
    if (!made) {
      coarser = std::min(coarser * next_coarser, request.coarsest);
      continue;
    }
    first = false;
    if (coarser > 1) give(std::move(made));
    if (coarser == 1) close = std::move(made);
    coarser = 1;
  }
  const double full = area(region) * request.reduction * request.reduction;
  close->last = close->truth == PreviewClass::exact || !request.refine || full > most_refined;
  give(close);
  if (close->last) return;
  rest();
  if (auto exact = render_exactly(close)) give(std::move(exact));
}

// The values of the last preview, if they match the request except for viewing settings. For a
// recipe without effect, the picture's own values.
std::shared_ptr<PreviewResult> PreviewRenderer::shown_again(const PreviewRequest& request,
                                                            const Rect& region) {
  const bool nothing = does_nothing(request.recipe);
  const bool same = given_ && !request.again && given_->stage != PreviewStage::coarse &&
                    given_->request.picture == request.picture &&
                    given_->request.reduction == request.reduction &&
                    given_->request.region == region && given_->request.recipe == request.recipe;
  if (!nothing && !same) return nullptr;
  auto result =
      nothing ? std::make_shared<PreviewResult>() : std::make_shared<PreviewResult>(*given_);
  result->request = request;
  result->request.region = region;
  show_before(*pictures_.at(request.picture, request.reduction, ParallelRows()), *result);
  if (nothing) {
    result->after_values = *result->before_values;
    result->after = result->before;
  } else {
    show_after(*result);
  }
  return result;
}

void PreviewRenderer::tell(double part) {
  if (Clock::now() - reported_ < progress_interval) return;
  reported_ = Clock::now();
  Q_EMIT progressed(part);
}

RenderOptions PreviewRenderer::options_for(PreviewResult& result, int reduction,
                                           std::function<bool()> go_on) {
  RenderOptions options;
  options.roles =
      roles_.resolver(result.request.picture, reduction, std::move(go_on),
                      [&](const Message& warning) { result.warnings << core_text(warning); });
  return options;
}

std::shared_ptr<PreviewResult> PreviewRenderer::render(const PreviewRequest& request, int coarser,
                                                       bool first) {
  const auto started = Clock::now();
  const auto go_on = [this, &request, first, started] { return goes_on(request, first, started); };
  const int reduction = request.reduction * coarser;
  const ReducedPtr source =
      pictures_.at(request.picture, reduction, ParallelRows([&](int, int) { return go_on(); }));
  const HeldPicture& pixels = source->pixels();

  auto result = std::make_shared<PreviewResult>();
  PreviewRequest& q = result->request = request;
  q.reduction = reduction;
  q.region = coarser_region(q.region, coarser).intersected(pixels.format.rect());
  result->stage = coarser > 1 ? PreviewStage::coarse : PreviewStage::requested;
  result->last = coarser == 1;
  result->truth = truth_of(q.recipe, reduction);
  const Recipe recipe = scaled_recipe(q.recipe, reduction);

  const PictureFormat out = result_format(pixels.format, recipe);
  result->after_values = uncleared_picture(region_format(out, q.region));
  HostView after = result->after_values.view();
  after.region = q.region;
  RenderOptions options = options_for(*result, reduction, go_on);
  options.region = q.region;
  bool too_slow = false;
  double done = 0;
  options.progress = [&](double part) {
    tell(part);
    done = part;
    const auto passed = Clock::now() - started;
    if (first && 2 * coarser <= request.coarsest && passed > first_wait) {
      too_slow = seconds_since(started) / std::max(part, 0.01) >
                 much_longer * std::chrono::duration<double>(first_wait).count();
    }
    return !too_slow && go_on();
  };
  MemorySource in = pixels.source(source->content);
  MemorySink sink(out, after);
  try {
    const RenderReport report = session_->render(recipe, in, sink, options);
    result->device = QString::fromStdString(report.device);
    for (const Message& line : report.warnings) {
      result->warnings << core_text(line);
    }
    for (const Message& line : report.methods) result->methods << core_text(line);
  } catch (const Cancelled&) {
    pace_.add_lower_bound(q.recipe, reduction, area(q.region),
                          seconds_since(started) / std::max(done, 0.01));
    spare_ = std::move(result->after_values.bytes);
    if (too_slow) return nullptr;
    // While requests keep coming, a late preview is better than none.
    if (first) patience_ = std::min<std::chrono::milliseconds>(2 * patience_, most_patience);
    throw;
  }
  if (first) patience_ = least_patience;
  show_before(*source, *result);
  show_after(*result);
  result->seconds = seconds_since(started);
  pace_.add_measurement(q.recipe, reduction, area(q.region), result->seconds);
  return result;
}

// Null if it takes too long or cannot be done at 1:1; the approximate preview then stays.
std::shared_ptr<PreviewResult> PreviewRenderer::render_exactly(const ResultPtr& close) {
  const auto started = Clock::now();
  bool too_slow = false;
  auto result = std::make_shared<PreviewResult>(*close);
  const PreviewRequest& q = result->request;
  const auto go_on = [&] {
    too_slow = Clock::now() - started > longest_refining;
    return !too_slow && goes_on(q, false, started);
  };
  const HeldPicture& pixels = q.picture->pixels;
  const int k = q.reduction;
  const Rect full =
      Rect{q.region.x0 * k, q.region.y0 * k, q.region.x1 * k, q.region.y1 * k}.intersected(
          pixels.format.rect());
  try {
    const PictureFormat out = result_format(pixels.format, q.recipe);
    RenderOptions options = options_for(*result, 1, go_on);
    options.region = full;
    options.progress = [&](double part) {
      tell(part);
      return go_on();
    };
    MemorySource in = pixels.source();
    ReducingSink sink(out, full, k, result->after_values.view(),
                      ParallelRows([&](int, int) { return go_on(); }));
    const RenderReport report = session_->render(q.recipe, in, sink, options);
    result->methods.clear();
    for (const Message& line : report.methods) result->methods << core_text(line);
  } catch (const Cancelled&) {
    if (too_slow) return nullptr;
    throw;
  } catch (const std::exception&) {
    return nullptr;
  }
  show_after(*result);
  result->truth = PreviewClass::exact;
  result->stage = PreviewStage::exact;
  result->last = true;
  result->seconds = seconds_since(started);
  return result;
}

// Waits until there have been no requests for a moment.
void PreviewRenderer::rest() {
  std::unique_lock lock(mutex_);
  const auto wanted = [this] { return stop_ || cancelled_ || waiting_.has_value(); };
  if (wake_.wait_for(lock, before_refining, wanted)) throw Cancelled();
}

// A picture in the memory of one that was cancelled, or of an earlier result that nobody has any
// more: memory that is new to the process would have to be cleared, many times a second.
HeldPicture PreviewRenderer::uncleared_picture(const PictureFormat& format) {
  HeldPicture picture{format, std::exchange(spare_, {})};
  if (picture.bytes.size() == format.bytes()) return picture;
  picture.bytes = {};
  const auto free = std::find_if(earlier_.begin(), earlier_.end(), [&](const auto& result) {
    return result.use_count() == 1 && result->after_values.bytes.size() == format.bytes();
  });
  if (free != earlier_.end()) {
    std::atomic_thread_fence(std::memory_order_acquire);  // after others read it
    picture.bytes = std::move((*free)->after_values.bytes);
    earlier_.erase(free);
  }
  picture.bytes.resize(format.bytes());
  return picture;
}

// Results for the current picture are always shown: the newest value follows.
void PreviewRenderer::give(std::shared_ptr<PreviewResult> result) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_ || cancelled_) throw Cancelled();
    if (waiting_ && waiting_->picture != result->request.picture) throw Cancelled();
  }
  constexpr std::size_t most_earlier = 4;  // coarse ones between
  if (earlier_.size() == most_earlier) earlier_.erase(earlier_.begin());
  earlier_.push_back(result);
  given_ = std::move(result);
  Q_EMIT rendered(given_);
  const PreviewRequest& q = given_->request;
  Q_EMIT counted(given_, does_nothing(q.recipe) ? given_->before_histogram
                                                : histogram_of(given_->after_values, q.exposure));
}

}  // namespace sfumato::gui
