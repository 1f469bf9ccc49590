// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One slot for the newest request, one thread that empties it.
#include "preview/renderer.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "filters/registry.hpp"
#include "image/reduce.hpp"
#include "image/rows.hpp"
#include "image/transfer.hpp"
#include "preview/display.hpp"

namespace sfumato::gui {
namespace {

constexpr qint64 progress_interval = 50;  // ms

// The format of a region's values: float.
PictureFormat region_format(const PictureFormat& format, const Rect& region) {
  PictureFormat out = format;
  out.width = region.width();
  out.height = region.height();
  out.type = SampleType::f32;
  return out;
}

// The stored numbers of a region, as floats.
HeldPicture values_of(const HeldPicture& picture, const Rect& region) {
  HeldPicture out = blank_picture(region_format(picture.format, region));
  const PictureFormat& f = picture.format;
  const HostView from = picture.view(), to = out.view();
  const int sample = sample_bytes(f.type);
  Rows().run(0, region.height(), [&](int y) {
    const char* in = static_cast<const char*>(from.row(region.y0 + y)) +
                     static_cast<std::size_t>(region.x0) * f.pixel_bytes();
    auto* row = static_cast<float*>(to.row(y));
    const int count = region.width() * f.channels;
    if (f.type == SampleType::f32) {
      std::memcpy(row, in, static_cast<std::size_t>(count) * sizeof(float));
    } else {
      for (int i = 0; i < count; ++i) row[i] = read_sample(in + i * sample, f.type);
    }
  });
  return out;
}

// What the screen shows of a picture's numbers, in the format that is painted fastest.
QImage shown(const HeldPicture& values, const PreviewRequest& q) {
  const QImage image =
      upright(to_display(values, q.picture->icc_profile, q.exposure, q.screen_profile),
              q.picture->orientation);
  return image.convertToFormat(image.hasAlphaChannel() ? QImage::Format_ARGB32_Premultiplied
                                                       : QImage::Format_RGB32);
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
    truth = std::max(truth, Registry::get().at(step.filter).filter->info().preview);
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

// The picture at one scale; the original itself at 1.
struct Renderer::Reduced {
  PicturePtr picture;
  int factor = 1;
  HeldPicture own;  // empty where the factor is 1
  // What was shown last of the picture before: a recipe that changes does not change it.
  struct Before {
    Rect region;
    double exposure = 0;
    QByteArray screen_profile;
    std::shared_ptr<const HeldPicture> values;
    QImage image;
    Histogram histogram;
  };
  mutable Before before;

  const HeldPicture& pixels() const { return factor == 1 ? picture->pixels : own; }
};

Renderer::Renderer(SessionOptions options, QObject* parent)
    : QObject(parent), session_(open_session(std::move(options))), thread_([this] { work(); }) {
  qRegisterMetaType<std::shared_ptr<const PreviewResult>>();
}

Renderer::~Renderer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    waiting_.reset();
  }
  wake_.notify_all();
  thread_.join();
}

void Renderer::request(PreviewRequest request) {
  bool was_busy = false;
  {
    const std::lock_guard lock(mutex_);
    was_busy = busy_ || waiting_.has_value();
    waiting_ = std::move(request);
  }
  wake_.notify_all();
  if (!was_busy) Q_EMIT started();
}

void Renderer::set_session(SessionOptions options) {
  const std::lock_guard lock(mutex_);
  next_session_ = std::move(options);
}

void Renderer::cancel() {
  bool none_left = false;
  {
    const std::lock_guard lock(mutex_);
    // What was never begun ends here; what is in work, on its own thread.
    none_left = waiting_.has_value() && !busy_;
    waiting_.reset();
    cancelled_ = true;
  }
  if (none_left) Q_EMIT idle();
}

bool Renderer::is_busy() const {
  const std::lock_guard lock(mutex_);
  return busy_ || waiting_.has_value();
}

bool Renderer::is_stale() const {
  const std::lock_guard lock(mutex_);
  return stop_ || cancelled_ || waiting_.has_value();
}

std::unique_ptr<Session> Renderer::open_session(SessionOptions options) {
  options.log = [this, log = std::move(options.log)](const std::string& line) {
    if (log) log(line);
    Q_EMIT warned(QString::fromStdString(line));
  };
  return std::make_unique<Session>(std::move(options));
}

void Renderer::work() {
  session_->prepare();
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
    if (other) session_ = open_session(std::move(*other));
    try {
      answer(next);
    } catch (const Cancelled&) {
      // something newer waits, or nobody wants it any more
    } catch (const std::exception& error) {
      Q_EMIT failed(QString::fromUtf8(error.what()));
    }
  }
  session_.reset();  // waits for the device
}

std::shared_ptr<const Renderer::Reduced> Renderer::reduced(const PicturePtr& picture,
                                                           int reduction) {
  // Coarse and fine views of one picture alternate.
  constexpr std::size_t most_kept = 4;
  std::erase_if(reduced_, [&](const auto& kept) { return kept->picture != picture; });
  const auto found = std::find_if(reduced_.begin(), reduced_.end(),
                                  [&](const auto& kept) { return kept->factor == reduction; });
  if (found != reduced_.end()) {
    std::rotate(reduced_.begin(), found, found + 1);
    return reduced_.front();
  }
  auto made = std::make_shared<Reduced>();
  made->picture = picture;
  made->factor = reduction;
  if (reduction > 1) {
    made->own = blank_picture(reduced_format(picture->format(), reduction));
    const Rows rows([this](int, int) { return !is_stale(); });
    reduce(picture->pixels.view(), picture->format(), reduction, made->own.view(), rows);
  }
  reduced_.insert(reduced_.begin(), std::move(made));
  if (reduced_.size() > most_kept) reduced_.pop_back();
  return reduced_.front();
}

// The result's part of the picture as it was, from the last result where that showed the same.
void Renderer::show_before(const Reduced& source, PreviewResult& result) {
  const PreviewRequest& q = result.request;
  Reduced::Before& kept = source.before;
  if (!kept.values || kept.region != q.region || kept.exposure != q.exposure ||
      kept.screen_profile != q.screen_profile) {
    const auto values = std::make_shared<const HeldPicture>(values_of(source.pixels(), q.region));
    kept = {q.region, q.exposure,        q.screen_profile,
            values,   shown(*values, q), histogram_of(*values, q.exposure)};
  }
  result.before_values = kept.values;
  result.before = kept.image;
  result.before_histogram = kept.histogram;
}

void Renderer::answer(const PreviewRequest& request) {
  if (on_gui_thread()) throw std::logic_error("a preview is not rendered on the GUI thread");
  QElapsedTimer clock;
  clock.start();
  const auto source = reduced(request.picture, request.reduction);
  const HeldPicture& pixels = source->pixels();
  const Rect region = request.region.intersected(pixels.format.rect());
  if (region.empty()) return;

  auto result = std::make_shared<PreviewResult>();
  result->request = request;
  result->request.region = region;
  result->truth = truth_of(request.recipe, request.reduction);
  const Recipe recipe = scaled_recipe(request.recipe, request.reduction);

  PictureFormat out = pixels.format;
  out.type = SampleType::f32;
  if (out.channels == 1 && makes_colour(recipe)) out.channels = 3;
  result->after_values = blank_picture(region_format(out, region));
  HostView after = result->after_values.view();
  after.region = region;

  RenderOptions options;
  options.region = region;
  qint64 told = 0;
  options.progress = [&](double part) {
    if (clock.elapsed() - told >= progress_interval) {
      told = clock.elapsed();
      Q_EMIT progressed(part);
    }
    return !is_stale();
  };
  options.roles = roles_.resolver(
      request.picture, request.reduction, [this] { return !is_stale(); },
      [&](const std::string& warning) { result->warnings << QString::fromStdString(warning); });
  MemorySource in = pixels.source();
  MemorySink sink(out, after);
  const RenderReport report = session_->render(recipe, in, sink, options);
  result->device = QString::fromStdString(report.device);
  for (const std::string& warning : report.warnings) {
    result->warnings << QString::fromStdString(warning);
  }

  show_before(*source, *result);
  result->after = shown(result->after_values, result->request);
  result->after_histogram = histogram_of(result->after_values, request.exposure);
  result->seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
  if (is_stale()) return;
  Q_EMIT rendered(result);
}

}  // namespace sfumato::gui
