// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One slot for the newest request, one thread that empties it.
#include "preview/renderer.hpp"

#include <QElapsedTimer>
#include <algorithm>

#include "filters/registry.hpp"
#include "image/reduce.hpp"
#include "image/transfer.hpp"
#include "preview/display.hpp"

namespace sfumato::gui {
namespace {

constexpr qint64 progress_interval = 50;  // ms

// Pixels of a region alone, as a source that knows the whole picture's size would give them.
HeldPicture cut(const HeldPicture& picture, const Rect& region) {
  HeldPicture out{picture.format, {}};
  out.format.width = region.width();
  out.format.height = region.height();
  const std::size_t row = static_cast<std::size_t>(region.width()) * out.format.pixel_bytes();
  out.bytes.resize(row * static_cast<std::size_t>(region.height()));
  MemorySource source(picture.format, const_cast<HeldPicture&>(picture).view());
  source.read(region, out.bytes.data(), static_cast<std::ptrdiff_t>(row));
  return out;
}

Truth worth_of(PreviewClass preview) {
  return preview == PreviewClass::exact         ? Truth::exact
         : preview == PreviewClass::approximate ? Truth::approximate
                                                : Truth::full_scale;
}

}  // namespace

Truth truth_of(const Recipe& recipe, int reduction) {
  Truth truth = Truth::exact;
  if (reduction == 1) return truth;
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    truth = std::max(truth, worth_of(Registry::get().at(step.filter).filter->info().preview));
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

  const HeldPicture& pixels() const { return factor == 1 ? picture->pixels : own; }
};

Renderer::Renderer(SessionOptions options, QObject* parent)
    : QObject(parent),
      session_(std::make_unique<Session>(std::move(options))),
      thread_([this] { work(); }) {
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
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(request);
  }
  wake_.notify_all();
}

void Renderer::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  cancelled_ = true;
}

bool Renderer::is_busy() const {
  const std::lock_guard lock(mutex_);
  return busy_ || waiting_.has_value();
}

bool Renderer::is_stale() const {
  const std::lock_guard lock(mutex_);
  return stop_ || cancelled_ || waiting_.has_value();
}

void Renderer::work() {
  session_->prepare();
  while (true) {
    PreviewRequest next;
    {
      std::unique_lock lock(mutex_);
      if (busy_ && !waiting_) Q_EMIT idle();
      busy_ = false;
      wake_.wait(lock, [this] { return stop_ || waiting_.has_value(); });
      if (stop_) return;
      next = std::move(*waiting_);
      waiting_.reset();
      cancelled_ = false;
      busy_ = true;
    }
    try {
      answer(next);
    } catch (const Cancelled&) {
      // something newer waits, or nobody wants it any more
    } catch (const std::exception& error) {
      Q_EMIT failed(QString::fromUtf8(error.what()));
    }
  }
}

std::shared_ptr<const Renderer::Reduced> Renderer::reduced(const PicturePtr& picture,
                                                           int reduction) {
  if (reduced_ && reduced_->picture == picture && reduced_->factor == reduction) return reduced_;
  auto made = std::make_shared<Reduced>();
  made->picture = picture;
  made->factor = reduction;
  if (reduction > 1) {
    made->own.format = reduced_format(picture->format(), reduction);
    const PictureFormat& f = made->own.format;
    made->own.bytes.resize(static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height) *
                           f.pixel_bytes());
    const Rows rows([this](int, int) { return !is_stale(); });
    reduce(const_cast<HeldPicture&>(picture->pixels).view(), picture->format(), reduction,
           made->own.view(), rows);
  }
  reduced_ = made;
  return made;
}

void Renderer::answer(const PreviewRequest& request) {
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
  result->after_values.format = out;
  result->after_values.format.width = region.width();
  result->after_values.format.height = region.height();
  const std::size_t row = static_cast<std::size_t>(region.width()) * out.pixel_bytes();
  result->after_values.bytes.resize(row * static_cast<std::size_t>(region.height()));

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
  MemorySource in(pixels.format, const_cast<HeldPicture&>(pixels).view());
  MemorySink sink(out,
                  {result->after_values.bytes.data(), static_cast<std::ptrdiff_t>(row), region});
  const RenderReport report = session_->render(recipe, in, sink, options);
  result->device = QString::fromStdString(report.device);
  for (const std::string& warning : report.warnings) {
    result->warnings << QString::fromStdString(warning);
  }

  const HeldPicture before = cut(pixels, region);
  result->before_values = before;
  if (before.format.type != SampleType::f32) {
    result->before_values.format.type = SampleType::f32;
    const PictureFormat& f = result->before_values.format;
    result->before_values.bytes.resize(static_cast<std::size_t>(f.width) *
                                       static_cast<std::size_t>(f.height) * f.pixel_bytes());
    auto* to = reinterpret_cast<float*>(result->before_values.bytes.data());
    const int sample = sample_bytes(before.format.type);
    const std::size_t count = before.bytes.size() / static_cast<std::size_t>(sample);
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = read_sample(before.bytes.data() + i * static_cast<std::size_t>(sample),
                          before.format.type);
    }
  }
  const int orientation = request.picture->orientation;
  const auto shown = [&](HeldPicture& values) {
    return upright(to_display(values, request.picture->icc_profile, request.exposure), orientation);
  };
  result->before = shown(result->before_values);
  result->after = shown(result->after_values);
  result->seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
  if (is_stale()) return;
  Q_EMIT rendered(result);
}

}  // namespace sfumato::gui
